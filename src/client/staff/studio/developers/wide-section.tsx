import { type ReactNode, useId } from 'react'
import styles from './wide-section.module.css'

type WideSectionProps = {
  title: string
  /** One or two sentences below the title. */
  lead?: string
  /** Next to the title. */
  action?: ReactNode
  children: ReactNode
}

/** A section with a table, which needs the whole width of the screen. */
export const WideSection = ({ title, lead, action, children }: WideSectionProps) => {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

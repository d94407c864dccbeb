import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

type PanelProps = {
  title: string
  /** One or two sentences below the title. */
  lead?: ReactNode
  children: ReactNode
}

/** A section of a staff screen with its own heading. */
export const Panel = ({ title, lead, children }: PanelProps) => {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}

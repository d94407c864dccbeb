import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

type PanelProps = {
  title: string
  /** One or two sentences under the title. */
  lead?: ReactNode
  children: ReactNode
}

/** A part of a staff screen that has a heading of its own. */
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

import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'
import gridStyles from './section-grid.module.css'

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

/** A grid of sections, in several columns if there is room. */
export const SectionGrid = ({ children }: { children: ReactNode }) => <div className={gridStyles.grid}>{children}</div>

/** One section of the grid; `aside` is shown next to its title. */
export const GridSection = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={gridStyles.section}>
    <header className={gridStyles.head}>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

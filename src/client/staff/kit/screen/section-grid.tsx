import type { ReactNode } from 'react'
import styles from './section-grid.module.css'

/** A grid of sections, in several columns if there is room. */
export const SectionGrid = ({ children }: { children: ReactNode }) => <div className={styles.grid}>{children}</div>

/** One section of the grid; `aside` is shown next to its title. */
export const GridSection = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <header className={styles.head}>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

import type { ReactNode } from 'react'
import styles from './section-grid.module.css'

/** The parts of a screen that is read, beside each other where there is room. */
export const SectionGrid = ({ children }: { children: ReactNode }) => <div className={styles.parts}>{children}</div>

/** One of them; `aside` stands beside its title: a sum in a few words, or the way to more. */
export const GridSection = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={styles.part}>
    <header className={styles.head}>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

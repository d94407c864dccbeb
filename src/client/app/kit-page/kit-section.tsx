import type { ReactNode } from 'react'
import styles from './kit-page.module.css'

/** One group of components with its title. */
export const KitSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2 className={styles.name}>{title}</h2>
    <div className={styles.stack}>{children}</div>
  </section>
)

/** Components next to each other. */
export const KitRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

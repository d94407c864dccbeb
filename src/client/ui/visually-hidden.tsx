import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Words that are read out but not shown. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => (
  <span className={styles.hidden}>{children}</span>
)

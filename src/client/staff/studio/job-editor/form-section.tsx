import type { ReactNode } from 'react'
import styles from './job-settings.module.css'

/** A group of form fields with a heading. */
export const FormSection = ({ title, said, children }: { title: string; said?: ReactNode; children: ReactNode }) => (
  <fieldset className={styles.part}>
    <legend>{title}</legend>
    {said && <p className={styles.said}>{said}</p>}
    {children}
  </fieldset>
)

/** Two short fields in one row if there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

import type { ReactNode } from 'react'
import styles from './job-settings.module.css'

/** A group of form fields with a heading. */
export const FormSection = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => (
  <fieldset className={styles.part}>
    <legend>{title}</legend>
    {lead && <p className={styles.lead}>{lead}</p>}
    {children}
  </fieldset>
)

/** Two short fields in one row if there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

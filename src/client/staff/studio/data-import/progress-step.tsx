import type { ImportDetails } from '#contract/studio/imports.ts'
import styles from './data-import.module.css'
import { formatCount, formatSubjectCount } from './import-labels.ts'

/** Progress of an import or its undo. It continues on the server without this screen. */
export const ProgressStep = ({ details: { state, rowsDone, rowsTotal } }: { details: ImportDetails }) => {
  const label =
    state === 'running' ? `Importing ${formatSubjectCount(rowsTotal)}` : `Taking back ${formatSubjectCount(rowsTotal)}`
  return (
    <section className={styles.progress} aria-label={label}>
      <h2>{label}…</h2>
      <progress className={styles.meter} value={rowsDone} max={rowsTotal} aria-label={label} />
      <p className="tabular" role="status">
        {formatCount(rowsDone)} of {formatCount(rowsTotal)}
      </p>
      <p className={styles.soft}>You may leave this page, and find it again under Data import: it goes on by itself.</p>
    </section>
  )
}

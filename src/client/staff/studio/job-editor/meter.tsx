import { formatCount } from '#client/staff/kit/screen/format.ts'
import styles from './meter.module.css'

type MeterProps = {
  label: string
  value: number
  total: number
}

/** A value out of a total, as numbers and as a bar. */
export const Meter = ({ label, value, total }: MeterProps) => (
  <div className={styles.meter}>
    <span className={styles.label}>{label}</span>
    <span className="tabular">
      {formatCount(value)} of {formatCount(total)}
    </span>
    <progress className={styles.bar} aria-label={label} value={value} max={Math.max(total, 1)} />
  </div>
)

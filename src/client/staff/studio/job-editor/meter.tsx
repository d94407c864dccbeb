import styles from './meter.module.css'

type MeterProps = {
  label: string
  value: number
  of: number
}

const shown = (count: number) => count.toLocaleString('en-US')

/** A value out of a total, as a bar and in figures. */
export const Meter = ({ label, value, of }: MeterProps) => (
  <div className={styles.meter}>
    <span className={styles.label}>{label}</span>
    <span className="tabular">
      {shown(value)} of {shown(of)}
    </span>
    <progress className={styles.bar} aria-label={label} value={value} max={Math.max(of, 1)} />
  </div>
)

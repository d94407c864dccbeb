import type { ReportChart as Chart } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import styles from './report-screen.module.css'

/** The amounts of a chart by name, each as a bar beside its name. */
export const ReportBars = ({ chart: { heading, by, points } }: { chart: Chart }) => {
  const largest = Math.max(1, ...points.map(({ cents }) => Math.abs(cents)))
  return (
    <table className={styles.bars} aria-label={`Chart: ${heading}`}>
      <caption>{by === 'range' ? heading : `${heading}, highest first`}</caption>
      <tbody>
        {points.map(({ label, cents }) => (
          <tr key={label}>
            <th scope="row">{label || 'None'}</th>
            <td className={styles.track}>
              <span
                className={styles.bar}
                data-negative={cents < 0 || undefined}
                style={{ inlineSize: `${(Math.abs(cents) / largest) * 100}%` }}
              />
            </td>
            <td className={styles.amount}>{formatMoney(cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

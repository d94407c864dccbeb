import { Price } from '#ui/price.tsx'
import styles from './payouts.module.css'

export type SumRow = { label: string; cents: number; isTotal?: boolean }

/** Amounts that add up to the totals among them. Rows of zero are left out; totals are always shown. */
export const SumTable = ({ label, rows }: { label: string; rows: readonly SumRow[] }) => (
  <table className={styles.sums} aria-label={label}>
    <tbody>
      {rows
        .filter(({ cents, isTotal }) => isTotal || cents !== 0)
        .map(({ label: rowLabel, cents, isTotal }) => (
          <tr key={rowLabel} className={isTotal ? styles.total : undefined}>
            <th scope="row">{rowLabel}</th>
            <td>
              <Price cents={cents} />
            </td>
          </tr>
        ))}
    </tbody>
  </table>
)

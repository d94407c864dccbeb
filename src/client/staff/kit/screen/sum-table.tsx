import { Price } from '#ui/price.tsx'
import styles from './sum-table.module.css'

export type SumRow = {
  /** Needed if another row may have the same label. */
  id?: string
  label: string
  cents: number
  isTotal?: boolean
}

/** The rows without those of zero; totals are never left out. */
export const withoutZeros = (rows: readonly SumRow[]): SumRow[] =>
  rows.filter(({ cents, isTotal }) => isTotal || cents !== 0)

/** Amounts that add up to the totals among them. */
export const SumTable = ({ label, rows }: { label: string; rows: readonly SumRow[] }) => (
  <table className={styles.sums} aria-label={label}>
    <tbody>
      {rows.map(({ label: rowLabel, cents, isTotal, id = rowLabel }) => (
        <tr key={id} className={isTotal ? styles.total : undefined}>
          <th scope="row">{rowLabel}</th>
          <td>
            <Price cents={cents} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

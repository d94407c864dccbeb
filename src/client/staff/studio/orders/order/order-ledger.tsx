import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { Price } from '#ui/price.tsx'
import styles from '../job-orders.module.css'
import { formatMoment } from '../order-format.ts'

const rowsOf = ({ totals }: StaffOrder): [string, number][] => {
  const all: [string, number][] = [
    ['Packages', totals.packagesCents],
    ['Services', totals.servicesCents],
    ['Discount', -totals.discountCents],
    ['Shipping', totals.shippingCents],
    ['Tax', totals.taxCents],
  ]
  return all.filter(([, cents]) => cents !== 0)
}

const entryLabels = { charge: 'Paid', refund: 'Given back' } as const
const states = { pending: 'on its way', done: '', failed: 'failed' } as const

const paidBy = ({ payMethod, cardEnding }: StaffOrder): string =>
  payMethod === 'card' && cardEnding ? `card ending in ${cardEnding}` : payMethod

/** Charges, payments and refunds of an order, with time and user. */
export const OrderLedger = ({ order }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const { totals, ledger, refundableCents } = order
  return (
    <>
      <table className={styles.money}>
        <tbody>
          {rowsOf(order).map(([label, cents]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <Price cents={cents} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>
              <Price cents={totals.totalCents} />
            </td>
          </tr>
        </tfoot>
      </table>
      <ul className={styles.trail}>
        {ledger.map(({ kind, state, amountCents, reason, by, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the ledger is append-only
          <li key={index}>
            <span>
              {entryLabels[kind]} <Price cents={amountCents} />
              {kind === 'charge' && ` by ${paidBy(order)}`}
              {states[state] && <em className={state === 'failed' ? styles.wrong : styles.soft}> {states[state]}</em>}
            </span>
            <small className={styles.soft}>
              {[formatMoment(at, timeZone), by, reason].filter(Boolean).join(' · ')}
            </small>
          </li>
        ))}
      </ul>
      <p className={styles.soft}>
        <Price cents={refundableCents} /> can be given back.
      </p>
    </>
  )
}

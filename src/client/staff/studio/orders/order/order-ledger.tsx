import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { getOrderDocument, type StaffOrder } from '#contract/studio/order-details.ts'
import { Button } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import { toastError } from '#ui/toast/toast.ts'
import styles from '../job-orders.module.css'

const totalRows = ({ totals }: StaffOrder): [string, number][] => {
  const rows: [string, number][] = [
    ['Packages', totals.packagesCents],
    ['Services', totals.servicesCents],
    ['Discount', -totals.discountCents],
    ['Shipping', totals.shippingCents],
    ['Tax', totals.taxCents],
  ]
  return rows.filter(([, cents]) => cents !== 0)
}

const entryLabels = { charge: 'Paid', refund: 'Refunded' } as const
const entryStateLabels = { pending: 'pending', done: '', failed: 'failed' } as const

const payMethodLabel = ({ payMethod, cardEnding }: StaffOrder): string =>
  payMethod === 'card' && cardEnding ? `card ending in ${cardEnding}` : payMethod

type DocumentButtonProps = { job: JobParams; orderNumber: string; documentName: string; children: string }

/** Downloads a document of an order. Its URL expires, so it is requested with each click. */
const DocumentButton = ({ job, orderNumber, documentName, children }: DocumentButtonProps) => {
  const { studioId, jobId } = job
  const [isLoading, setIsLoading] = useState(false)
  const download = async () => {
    setIsLoading(true)
    const answer = await authorizedRequest(getOrderDocument, {
      params: { studioId, jobId, orderNumber, documentName },
    })
    setIsLoading(false)
    if (answer.ok) location.assign(answer.data.url)
    else toastError(answer.errors)
  }
  return (
    <Button variant="secondary" size="sm" icon={Download} loading={isLoading} onClick={() => void download()}>
      {children}
    </Button>
  )
}

/** Totals of an order, and its payments and refunds with their time, user and reason, and its documents. */
export const OrderLedger = ({ job, order }: { job: JobParams; order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const { orderNumber, totals, ledger, refundableCents } = order
  return (
    <>
      <table className={styles.money}>
        <tbody>
          {totalRows(order).map(([label, cents]) => (
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
      <ul className={styles.history}>
        {ledger.map(({ kind, state, amountCents, reason, by, at, creditNote }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the ledger is append-only
          <li key={index}>
            <span>
              {entryLabels[kind]} <Price cents={amountCents} />
              {kind === 'charge' && ` by ${payMethodLabel(order)}`}
              {entryStateLabels[state] && (
                <em className={state === 'failed' ? styles.error : styles.soft}> {entryStateLabels[state]}</em>
              )}
            </span>
            <small className={styles.soft}>
              {[formatMoment(at, timeZone), by, reason].filter(Boolean).join(' · ')}
            </small>
            {creditNote && (
              <DocumentButton {...{ job, orderNumber }} documentName={`${creditNote}.pdf`}>
                {`Credit note ${creditNote}`}
              </DocumentButton>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.soft}>
        Refundable: <Price cents={refundableCents} />
      </p>
      <div className={styles.buttons}>
        <DocumentButton {...{ job, orderNumber }} documentName="receipt.pdf">
          Receipt (PDF)
        </DocumentButton>
      </div>
    </>
  )
}

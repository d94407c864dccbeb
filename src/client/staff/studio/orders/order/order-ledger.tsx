import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { SumTable, withoutZeros } from '#client/staff/kit/screen/sum-table.tsx'
import { getOrderDocument, type StaffOrder } from '#contract/studio/order-details.ts'
import { Price } from '#ui/price.tsx'
import styles from '../job-orders.module.css'

const totalRows = ({ totals }: StaffOrder) =>
  withoutZeros([
    { label: 'Packages', cents: totals.packagesCents },
    { label: 'Services', cents: totals.servicesCents },
    { label: 'Discount', cents: -totals.discountCents },
    { label: 'Late price', cents: totals.lateFeeCents },
    { label: 'Shipping', cents: totals.shippingCents },
    { label: 'Tax', cents: totals.taxCents },
    { label: 'Total', cents: totals.totalCents, isTotal: true },
  ])

/** A charge counts once it is paid, a refund as soon as it was started, as in what can still be refunded. */
const countsIn = ({ kind, state }: StaffOrder['ledger'][number]): boolean =>
  kind === 'charge' ? state === 'done' : state !== 'failed'

const sumOf = ({ ledger }: Pick<StaffOrder, 'ledger'>, kind: 'charge' | 'refund'): number =>
  ledger.reduce((sum, row) => (row.kind === kind && countsIn(row) ? sum + row.amountCents : sum), 0)

/** What was refunded of an order, with refunds that are under way. */
export const refundedCents = (order: Pick<StaffOrder, 'ledger'>): number => sumOf(order, 'refund')

/** What was refunded, and what is left, if anything was refunded. */
const refundRows = (order: StaffOrder) => {
  const refunded = refundedCents(order)
  if (refunded === 0) return []
  const paid = sumOf(order, 'charge')
  // The total is that of the order as it is now: packages that were removed and refunded are no longer in it.
  return [
    { label: 'Paid', cents: paid },
    { label: 'Refunded', cents: -refunded },
    { label: 'Paid after refunds', cents: paid - refunded, isTotal: true },
  ]
}

const entryLabels = { charge: 'Paid', refund: 'Refunded' } as const
const entryStateLabels = { pending: 'pending', done: '', failed: 'failed' } as const

const payMethodLabel = ({ payMethod, cardEnding }: StaffOrder): string =>
  payMethod === 'card' && cardEnding ? `card ending in ${cardEnding}` : payMethod

type DocumentButtonProps = { job: JobParams; orderNumber: string; documentName: string; children: string }

/** Downloads a document of an order. Its URL expires, so it is requested with each click. */
const DocumentButton = ({ job: { studioId, jobId }, orderNumber, documentName, children }: DocumentButtonProps) => {
  const download = async () => {
    const answer = await authorizedRequest(getOrderDocument, { params: { studioId, jobId, orderNumber, documentName } })
    if (!answer.ok) return answer.errors
    location.assign(answer.data.url)
    return undefined
  }
  return (
    <DownloadButton size="sm" onDownload={download}>
      {children}
    </DownloadButton>
  )
}

/** Totals of an order, its payments and refunds with their time, user and reason, and its documents. */
export const OrderLedger = ({ job, order }: { job: JobParams; order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const { orderNumber, ledger, refundableCents } = order
  return (
    <>
      <SumTable label="Totals" rows={[...totalRows(order), ...refundRows(order)]} />
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
      {refundableCents > 0 && (
        <p className={styles.soft}>
          Refundable: <Price cents={refundableCents} />
        </p>
      )}
      <div className={styles.buttons}>
        <DocumentButton {...{ job, orderNumber }} documentName="receipt.pdf">
          Receipt (PDF)
        </DocumentButton>
      </div>
    </>
  )
}

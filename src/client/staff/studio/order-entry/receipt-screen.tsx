import Mail from 'lucide-react/icons/mail'
import Printer from 'lucide-react/icons/printer'
import { useState } from 'react'
import type { Infer } from 'superstruct'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useIsFinanceStaff, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import type { Order } from '#contract/customer/order-calls.ts'
import { cancelStaffOrder, resendReceipt } from '#contract/studio/order-actions.ts'
import { getEnteredOrder } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import { CancelEntryDialog } from './cancel-entry-dialog.tsx'
import styles from './order-entry.module.css'

type Receipt = Infer<(typeof getEnteredOrder)['answer']>

const adjustmentRows = ({ totals, shippingName, promotionCode }: Order) =>
  [
    { label: promotionCode ? `Discount (${promotionCode})` : 'Discount', cents: -totals.discountCents },
    { label: 'Late price', cents: totals.lateFeeCents },
    { label: shippingName || 'Shipping', cents: totals.shippingCents },
    { label: 'Tax', cents: totals.taxCents },
  ].filter(({ cents }) => cents !== 0)

const paymentLabel = ({ payMethod, checkNumber }: Receipt): string => {
  if (payMethod === 'cash') return 'Paid in cash'
  if (payMethod === 'check') return `Paid by check ${checkNumber ?? ''}`.trim()
  return payMethod === 'none' ? 'Nothing to pay' : 'Paid by card'
}

const PrintedReceipt = ({ receipt, timeZone }: { receipt: Receipt; timeZone: string }) => {
  const { order } = receipt
  const { customer, shippingAddress: address } = order
  const rows = [
    ...order.lines.map(({ quantity, packageName, subjectName, totalCents }) => ({
      label: `${quantity} × ${packageName}${subjectName ? ` (${subjectName})` : ''}`,
      cents: totalCents,
    })),
    ...adjustmentRows(order),
  ]
  const placedOn = new Date(order.placedAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
  return (
    <article className={styles.receipt} data-receipt aria-label="Receipt">
      <h2>{order.studioName}</h2>
      <p>{[order.studioPhone, order.studioEmail].filter(Boolean).join(', ')}</p>
      <p>
        <strong>{order.orderNumber}</strong>, {placedOn}
        <br />
        {order.jobName}
        <br />
        {customer.firstName} {customer.lastName}
      </p>
      {order.state === 'cancelled' && <p className={styles.error}>This order was cancelled</p>}
      <table className={styles.rows}>
        <tbody>
          {rows.map(({ label, cents }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a receipt does not change, and rows may repeat
            <tr key={index}>
              <th scope="row">{label}</th>
              <td className="tabular">{formatMoney(cents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="tabular">{formatMoney(order.totals.totalCents)}</td>
          </tr>
        </tfoot>
      </table>
      <p>{paymentLabel(receipt)}</p>
      {address && (
        <p>
          {order.shippingName} to {address.firstName} {address.lastName}, {address.address1}, {address.city},{' '}
          {address.state} {address.zip}
        </p>
      )}
      {!address && order.shippingName !== '' && <p>{order.shippingName}: handed out by the studio or the school</p>}
    </article>
  )
}

/** Receipt of an entered order, to print or email. The order can be cancelled here. */
export const ReceiptScreen = ({ orderNumber, ...job }: JobParams & { orderNumber: string }) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const params = { studioId, jobId, orderNumber }
  const query = useStaffQuery(getEnteredOrder, { params })
  const mail = useStaffMutation(resendReceipt)
  const cancel = useStaffMutation(cancelStaffOrder)
  const [isCancelling, setCancelling] = useState(false)
  // Only users who may refund can cancel.
  const canRefund = useIsFinanceStaff()
  const sendReceipt = async (email: string) => {
    const answer = await mail.mutate({ params, body: {} })
    if (answer.ok) toast(`The receipt is on its way to ${email}`)
  }
  const cancelEntry = async (reason: string) => {
    const answer = await cancel.mutate({ params, body: { reason } })
    setCancelling(false)
    if (answer.ok) toast('The order is cancelled. Refund what was paid')
  }
  return (
    <StaffScreen title="Receipt" trail={[{ label: 'Entry', href: staffUrls.job(job, 'entry') }]}>
      <QueryBoundary query={query}>
        {(receipt) => {
          const { email } = receipt.order.customer
          const isCancellable = ['placed', 'batched', 'submitted'].includes(receipt.order.state)
          return (
            <>
              <div className={styles.tools}>
                <Button icon={Printer} onClick={() => window.print()}>
                  Print
                </Button>
                {email !== '' && (
                  <Button variant="secondary" icon={Mail} loading={mail.busy} onClick={() => void sendReceipt(email)}>
                    Email it
                  </Button>
                )}
                {isCancellable && canRefund && (
                  <Button variant="quiet" onClick={() => setCancelling(true)}>
                    Cancel the order
                  </Button>
                )}
              </div>
              <PrintedReceipt receipt={receipt} timeZone={timeZone} />
            </>
          )
        }}
      </QueryBoundary>
      {isCancelling && (
        <CancelEntryDialog
          busy={cancel.busy}
          onClose={() => setCancelling(false)}
          onCancel={(reason) => void cancelEntry(reason)}
        />
      )}
    </StaffScreen>
  )
}

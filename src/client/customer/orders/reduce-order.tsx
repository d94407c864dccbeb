import { useId, useState } from 'react'
import { quoteReduction, type ReductionQuote, reduceOrder } from '#contract/customer/order-adjustment-calls.ts'
import type { Order } from '#contract/customer/order-calls.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { type PackageLine, packageLines, QuantityRows } from '../shared/order/quantity-rows.tsx'
import { type ChangedQuantities, changedLines, useOrderQuote } from '../shared/order/use-order-quote.ts'
import styles from './orders.module.css'

type ReduceOrderProps = { order: Order; onChanged: () => void }

/** The order's packages, if some of them can be removed without cancelling the order. */
const removablePackages = (order: Order): PackageLine[] => {
  const packages = packageLines(order)
  return packages.length > 1 || packages.some(({ quantity }) => quantity > 1) ? packages : []
}

const unreachable = 'We can’t reach the studio right now. Try again when you’re online; nothing is done twice'

/** Removes packages or reduces their quantity. The refund is shown before the confirming tap. */
export const ReduceOrder = ({ order, onChanged }: ReduceOrderProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (removablePackages(order).length === 0) return null
  const close = () => {
    setOpen(false)
    // The focused element is about to disappear.
    document.getElementById(`${id}-open`)?.focus()
  }
  return (
    <>
      <Button
        id={`${id}-open`}
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Remove items
      </Button>
      <div id={id} hidden={!isOpen} className={styles.reduceForm}>
        {isOpen && <ReduceOrderForm order={order} onChanged={onChanged} onClose={close} />}
      </div>
    </>
  )
}

// The order is reloaded once it is changed: the choices here refer to the order as it was opened.
const ReduceOrderForm = ({ order, onChanged, onClose }: ReduceOrderProps & { onClose: () => void }) => {
  const [lines] = useState(() => removablePackages(order))
  const [changedQuantities, setChangedQuantities] = useState<ChangedQuantities>({})
  const [isSending, setIsSending] = useState(false)
  const quantities = changedLines(lines, changedQuantities)
  const { quote, problem, retry } = useOrderQuote(quoteReduction, order, quantities)
  const send = async ({ refundCents, cancels }: ReductionQuote) => {
    setIsSending(true)
    const params = { jobId: order.jobId, orderId: order.orderNumber }
    const response = await callApi(reduceOrder, { params, body: { packages: quantities, refundCents } })
    setIsSending(false)
    if (!response.ok) {
      toastError(response.status === 'unreachable' ? [unreachable] : response.errors)
      return retry()
    }
    toast(cancels ? 'Your order is cancelled' : 'Your order is changed', 'success')
    onChanged()
    onClose()
  }
  return (
    <>
      <QuantityRows
        lines={lines}
        changedQuantities={changedQuantities}
        limitsOf={({ quantity }) => ({ min: 0, max: quantity })}
        onQuantities={setChangedQuantities}
        disabled={isSending}
      />
      <div aria-live="polite">
        {quantities.length > 0 && <ReductionPreview order={order} quote={quote} problem={problem} onRetry={retry} />}
      </div>
      <div className={styles.actions}>
        {quantities.length > 0 && quote && (
          <Button variant={quote.cancels ? 'danger' : 'primary'} loading={isSending} onClick={() => void send(quote)}>
            {quote.cancels ? 'Cancel the order' : 'Remove'}
          </Button>
        )}
        <Button variant="quiet" disabled={isSending} onClick={onClose}>
          Keep everything
        </Button>
      </div>
    </>
  )
}

type ReductionPreviewProps = {
  order: Order
  quote: ReductionQuote | null
  problem: CallFailure | null
  onRetry: () => void
}

const ReductionPreview = ({ order, quote, problem, onRetry }: ReductionPreviewProps) => {
  if (problem) {
    const isUnreachable = problem.status === 'unreachable'
    const action = (
      <Button size="sm" variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    )
    return (
      <Notice
        tone="attention"
        title={isUnreachable ? 'This needs a connection' : problem.errors[0]}
        {...(isUnreachable && { action })}
      >
        {isUnreachable && 'Your order and your choices are unchanged.'}
      </Notice>
    )
  }
  if (!quote) return <p className={styles.soft}>Working out your refund…</p>
  return (
    <Notice
      tone={quote.cancels ? 'attention' : 'info'}
      title={quote.cancels ? 'This was the last item: the order will be cancelled' : refundText(order, quote)}
    >
      {previewMessages(order, quote).map((label) => (
        <p key={label}>{label}</p>
      ))}
    </Notice>
  )
}

const refundText = ({ cardEnding }: Order, { refundCents }: ReductionQuote): string => {
  if (refundCents === 0) return 'No refund'
  return `We’ll refund ${formatMoney(refundCents)} to ${cardEnding ? `your card ending ${cardEnding}` : 'your original payment method'}`
}

const previewMessages = (order: Order, quote: ReductionQuote): string[] => {
  if (quote.cancels) return [`${refundText(order, quote)}.`]
  const { alsoRemoved, lostPromotionCode, totals } = quote
  return [
    ...(alsoRemoved.length > 0
      ? [`${alsoRemoved.join(', ')} can’t be ordered without it and will be removed too.`]
      : []),
    ...(lostPromotionCode ? [`The code ${lostPromotionCode} no longer applies.`] : []),
    `Your new total is ${formatMoney(totals.totalCents)}.`,
  ]
}

import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { PaymentState } from '../payment/payment-states.ts'
import { UnfinishedPayment } from '../payment/unfinished-payment.tsx'
import type { OrderIncreasePayment } from './order-increase-payment.ts'

type OrderIncreaseNoticeProps = {
  state: PaymentState
  payment: OrderIncreasePayment
  /** URL of the order. */
  orderUrl: string
}

/** The result of the last tap on Pay, what remains unchanged, and what to do next. */
export const OrderIncreaseNotice = ({ state, payment, orderUrl }: OrderIncreaseNoticeProps) => {
  if (state.at === 'sending') return <Notice title="Paying…">Keep this page open for a moment.</Notice>
  if (state.at === 'unknown') {
    const checkButton = (
      <Button size="sm" variant="secondary" onClick={() => void payment.pollNow()}>
        Check now
      </Button>
    )
    return (
      <Notice title="Your payment is being confirmed" action={checkButton}>
        {state.why === 'unreachable' ? 'You’re offline. You won’t be charged twice.' : 'You won’t be charged twice.'}
      </Notice>
    )
  }
  if (state.at === 'unfinished') return <UnfinishedPayment payment={payment} state={state} paysFor="order" />
  if (state.at === 'declined') {
    return (
      <Notice tone="attention" title={state.message}>
        You weren’t charged. Your order is unchanged. Try another card.
      </Notice>
    )
  }
  if (state.at === 'totals-changed') {
    return (
      <Notice tone="attention" title={state.message}>
        You weren’t charged.
      </Notice>
    )
  }
  if (state.at === 'stopped') return <Notice tone="attention" title={state.message} />
  if (state.at !== 'lost') return null
  return (
    <Notice
      tone="attention"
      title="We couldn’t confirm your payment"
      action={<ButtonLink href={orderUrl}>See the order</ButtonLink>}
    >
      If it shows what you added, you paid. Ask the studio if you’re not sure.
    </Notice>
  )
}

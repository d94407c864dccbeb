import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { PaymentState } from '../payment/payment-states.ts'
import { UnfinishedPayment } from '../payment/unfinished-payment.tsx'
import type { OrderIncreasePayment } from './order-increase-payment.ts'

type MoreNoticeProps = {
  state: PaymentState
  payment: OrderIncreasePayment
  /** URL of the order. */
  order: string
}

/** The result of the last tap on Pay, what remains unchanged, and what to do next. */
export const OrderIncreaseNotice = ({ state, payment, order }: MoreNoticeProps) => {
  if (state.at === 'sending') return <Notice title="Paying…">Keep this page open for a moment.</Notice>
  if (state.at === 'unknown') {
    const ask = (
      <Button size="sm" variant="secondary" onClick={() => void payment.askNow()}>
        Ask now
      </Button>
    )
    return (
      <Notice title="Your payment is being confirmed" action={ask}>
        {state.why === 'unreachable'
          ? 'There is no connection right now. You will not be charged twice.'
          : 'You will not be charged twice.'}
      </Notice>
    )
  }
  if (state.at === 'unfinished') return <UnfinishedPayment payment={payment} state={state} paysFor="order" />
  if (state.at === 'declined') {
    return (
      <Notice tone="attention" title={state.message}>
        Nothing was charged, and your order is as it was. Try another card.
      </Notice>
    )
  }
  if (state.at === 'totals-changed') {
    return (
      <Notice tone="attention" title={state.message}>
        Nothing was charged.
      </Notice>
    )
  }
  if (state.at === 'stopped') return <Notice tone="attention" title={state.message} />
  if (state.at !== 'lost') return null
  return (
    <Notice
      tone="attention"
      title="We cannot tell whether this was paid"
      action={<ButtonLink href={order}>Look at the order</ButtonLink>}
    >
      If it holds what you wanted, it was. Ask the studio where you are not sure.
    </Notice>
  )
}

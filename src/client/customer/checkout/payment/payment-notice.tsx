import { lazy, Suspense, useEffect, useRef } from 'react'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CartView } from '#local/store/cart-view.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../checkout.module.css'
import type { CartPayment } from './cart-payment.ts'
import { endsAttempt, type PaymentState } from './payment-states.ts'

const PaymentProblem = lazy(async () => ({ default: (await import('./payment-problem.tsx')).PaymentProblem }))

type PaymentNoticeProps = {
  event: JobContextValue
  cart: CartView
  payment: CartPayment
  state: PaymentState
  onAnotherCard: () => void
}

/**
 * The result of the last tap on Pay, what remains unchanged, and what to do next. A final state is scrolled into view.
 */
export const PaymentNotice = (props: PaymentNoticeProps) => {
  const container = useRef<HTMLDivElement>(null)
  const over = endsAttempt(props.state) || props.state.at === 'lost' || props.state.at === 'unfinished'
  useEffect(() => {
    if (over) container.current?.scrollIntoView({ block: 'center' })
  }, [over])
  return (
    <div ref={container} className={styles.notice}>
      <Words {...props} />
    </div>
  )
}

const Words = (props: PaymentNoticeProps) => {
  const { payment, state, onAnotherCard } = props
  if (state.at === 'sending' || state.at === 'unknown') return <Confirming payment={payment} state={state} />
  if (state.at === 'declined' || state.at === 'totals-changed') {
    const declined = state.at === 'declined'
    return (
      <Notice
        tone="attention"
        title={state.message}
        action={declined && <Button onClick={onAnotherCard}>Use another card</Button>}
      >
        {declined
          ? 'Nothing was charged, and your order is kept as it is.'
          : 'Nothing was charged. Your order and its total are shown below as they are now. Pay when you are ready.'}
      </Notice>
    )
  }
  if (state.at !== 'stopped' && state.at !== 'lost' && state.at !== 'unfinished') return null
  return (
    <Suspense fallback={state.at === 'stopped' && <Notice tone="attention" title={state.message} />}>
      <PaymentProblem {...props} state={state} />
    </Suspense>
  )
}

// A bank can take a while, but a response within a second or two needs no message.
const Confirming = ({
  payment,
  state,
}: {
  payment: CartPayment
  state: PaymentState & { at: 'sending' | 'unknown' }
}) => {
  const unreachable = state.at === 'unknown' && state.why === 'unreachable'
  const askAgain = state.at === 'unknown' && (
    <Button variant="secondary" size="sm" onClick={() => void payment.askNow()}>
      Ask now
    </Button>
  )
  return (
    <Notice title="Your payment is being confirmed" action={askAgain}>
      {unreachable
        ? 'The connection was lost on the way. We ask again by ourselves, and you will not be charged twice.'
        : 'This can take a moment. You will not be charged twice, even if you close this page.'}
    </Notice>
  )
}

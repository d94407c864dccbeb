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
  job: JobContextValue
  cart: CartView
  payment: CartPayment
  state: PaymentState
}

/**
 * The result of the last tap on Pay, what remains unchanged, and what to do next. After a declined card, the bar leads to
 * another one. A final state is scrolled into view.
 */
export const PaymentNotice = (props: PaymentNoticeProps) => {
  const container = useRef<HTMLDivElement>(null)
  const isOver = endsAttempt(props.state) || props.state.at === 'lost' || props.state.at === 'unfinished'
  useEffect(() => {
    if (isOver) container.current?.scrollIntoView({ block: 'center' })
  }, [isOver])
  return (
    <div ref={container} className={styles.notice}>
      <NoticeContent {...props} />
    </div>
  )
}

const NoticeContent = (props: PaymentNoticeProps) => {
  const { payment, state } = props
  if (state.at === 'sending' || state.at === 'unknown') return <Confirming payment={payment} state={state} />
  if (state.at === 'declined' || state.at === 'totals-changed') {
    const isDeclined = state.at === 'declined'
    return (
      <Notice tone="attention" title={state.message}>
        {isDeclined
          ? 'You weren’t charged. Your order is saved.'
          : 'You weren’t charged. Below is your order with its current total. Pay when you’re ready.'}
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

const Confirming = ({
  payment,
  state,
}: {
  payment: CartPayment
  state: PaymentState & { at: 'sending' | 'unknown' }
}) => {
  const isUnreachable = state.at === 'unknown' && state.why === 'unreachable'
  const checkButton = state.at === 'unknown' && (
    <Button variant="secondary" size="sm" onClick={() => void payment.pollNow()}>
      Check now
    </Button>
  )
  return (
    <Notice title="Your payment is being confirmed" action={checkButton}>
      {isUnreachable
        ? 'The connection was lost. We’ll check again, and you won’t be charged twice.'
        : 'You won’t be charged twice, even if you close this page.'}
    </Notice>
  )
}

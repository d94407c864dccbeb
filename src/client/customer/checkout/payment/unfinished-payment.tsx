import { formatMoney } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { PaymentState } from './payment-states.ts'

const dayMs = 24 * 60 * 60_000

/**
 * When a payment was started, relative to `now`: the time if today, the weekday within the last six days, otherwise the
 * date.
 */
export const startedAtLabel = (startedAt: string, now: Date): string => {
  const start = new Date(startedAt)
  if (start.toDateString() === now.toDateString())
    return `at ${start.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}`
  const isRecent = start <= now && now.getTime() - start.getTime() < 6 * dayMs
  return `on ${start.toLocaleDateString('en-US', isRecent ? { weekday: 'long' } : { month: 'long', day: 'numeric' })}`
}

type UnfinishedPaymentProps = {
  payment: { finish: () => Promise<void>; giveUp: () => Promise<void> }
  state: PaymentState & { at: 'unfinished' }
  /** What it would pay for, which is locked until the customer decides. */
  paysFor?: 'cart' | 'order'
}

/**
 * A payment that was started and may never have reached the server: the customer is charged only if they complete it
 * here.
 */
export const UnfinishedPayment = ({ payment, state, paysFor = 'cart' }: UnfinishedPaymentProps) => {
  const { totalCents, startedAt, problem } = state
  return (
    <Notice
      tone="attention"
      title={`You started to pay ${formatMoney(totalCents)} ${startedAtLabel(startedAt, new Date())}`}
      action={
        <>
          <Button onClick={() => void payment.finish()}>Finish</Button>
          <Button variant="secondary" onClick={() => void payment.giveUp()}>
            Don’t
          </Button>
        </>
      }
    >
      {problem ? `${problem}. ` : ''}It wasn’t finished, and you weren’t charged. Your {paysFor} can be changed once you
      decide.
    </Notice>
  )
}

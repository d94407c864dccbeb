import { useCallback, useEffect, useRef, useState } from 'react'
import { array, type Infer, integer, is, literal, nullable, string, type } from 'superstruct'
import { orderMore } from '../../../contract/order-changes.ts'
import { dropDraft, saveDraft } from '../../../local/drafts.ts'
import { ask } from '../../device/ask.ts'
import { local, stamp } from '../../device/local.ts'
import {
  type Authentication,
  afterAnswer,
  askAgainAfter,
  endsAttempt,
  mayPay,
  type PaymentState,
} from './payment-states.ts'

/** A payment for more of an order as it was written down before it was sent. */
const PendingMore = type({
  v: literal(1),
  attemptId: string(),
  packages: array(type({ lineId: integer(), quantity: integer() })),
  paymentToken: nullable(string()),
  chargeCents: integer(),
})
type PendingMore = Infer<typeof PendingMore>

export const moreKey = (jobId: number, orderNumber: string): string => `more:${jobId}:${orderNumber}`

type Paying = Pick<PendingMore, 'packages' | 'paymentToken' | 'chargeCents'>
type OfOrder = { jobId: number; orderNumber: string }

/**
 * Pays for more of an order, as a cart is paid for: the attempt is written down on this phone before it is sent, and asked for by its id
 * until its outcome is known. `kept` is one whose outcome was not known when the page was left.
 */
export const useMorePayment = ({ jobId, orderNumber }: OfOrder, kept: unknown) => {
  const [state, setState] = useState<PaymentState>({ at: 'idle' })
  const held = useRef<PendingMore>(null)
  const key = moreKey(jobId, orderNumber)

  const send = useCallback(
    async (pending: PendingMore, from: PaymentState & { at: 'sending' }): Promise<void> => {
      held.current = pending
      setState(from)
      const { v: _, ...sent } = pending
      const { authentication } = from
      const answer = await ask(orderMore, {
        params: { jobId, orderId: orderNumber },
        body: authentication ? { ...sent, authentication } : sent,
      })
      const next = afterAnswer(from, answer)
      // First on the device, then on the screen: a page that dies in between finds the same on its return.
      // One the server lost is begun anew the next time: it is of how many there are to be, so that nothing is added twice.
      if (next.at === 'ordered' || next.at === 'lost' || endsAttempt(next)) await dropDraft(local, key)
      setState(next)
    },
    [jobId, orderNumber, key],
  )

  const askNow = useCallback(async (): Promise<void> => {
    if (state.at !== 'unknown' || !held.current) return
    await send(held.current, { at: 'sending', asks: state.asks, authentication: state.authentication })
  }, [state, send])

  // A payment of before is taken up once, as it was found.
  const found = useRef(kept)
  useEffect(() => {
    const before = found.current
    found.current = null
    if (is(before, PendingMore)) void send(before, { at: 'sending', asks: 1 })
  }, [send])

  useEffect(() => {
    if (state.at !== 'unknown') return
    const timer = setTimeout(() => void askNow(), askAgainAfter(state.asks))
    return () => clearTimeout(timer)
  }, [state, askNow])

  return {
    state,
    askNow,
    pay: async (paying: Paying): Promise<void> => {
      if (!mayPay(state)) return
      setState({ at: 'sending', asks: 0 })
      const pending: PendingMore = { v: 1, attemptId: stamp.newId(), ...paying }
      const failed = await saveDraft(local, key, pending)
      if (failed) {
        const { problem, sentence } = failed
        return setState({ at: 'stopped', problem, sentence, places: {} })
      }
      await send(pending, { at: 'sending', asks: 0 })
    },
    authenticate: async (authentication: Authentication): Promise<void> => {
      if (state.at !== 'requires-action' || !held.current) return
      await send(held.current, { at: 'sending', asks: state.asks, authentication })
    },
  }
}

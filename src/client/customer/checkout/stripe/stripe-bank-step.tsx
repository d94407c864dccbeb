import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import type { NextAction } from '#contract/customer/checkout-calls.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { BankStepProps } from '../card/card-provider.ts'
import { loadStripeAccount } from './load-stripe.ts'

/** Milliseconds to wait for Stripe's script on a slow connection before offering a way out. */
const timeoutMs = 15_000

const loadWithTimeout = async (action: NextAction): Promise<Stripe> => {
  let timer = 0
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(() => reject(new Error('Stripe’s script is late')), timeoutMs)
  })
  return await Promise.race([loadStripeAccount(action), timeout]).finally(() => window.clearTimeout(timer))
}

/**
 * Whether the bank has nothing more to ask; only the server learns the result. Stripe's script throws if no step is
 * pending any more, e.g. after a reload.
 */
const isAnswered = async (action: NextAction): Promise<boolean> => {
  const stripe = await loadWithTimeout(action)
  const { clientSecret } = action
  if (clientSecret === null) return false
  const result = await ignoring('the payment is read below', () => stripe.handleNextAction({ clientSecret }))
  if (result && !result.error) return true
  const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
  return paymentIntent !== undefined && paymentIntent.status !== 'requires_action'
}

/** Runs the bank's authentication inside Stripe's frame. If it cannot be shown, offers a retry. */
export const StripeBankStep = ({ action, onAnswer }: BankStepProps) => {
  const [hasFailed, setHasFailed] = useState(false)
  const answerHandler = useRef(onAnswer)
  answerHandler.current = onAnswer
  const startedSecret = useRef<string | null>('')

  const startAction = async (): Promise<void> => {
    setHasFailed(false)
    if (await isAnswered(action).catch(() => false)) answerHandler.current('confirmed')
    else setHasFailed(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies(startAction): each action is started once
  useEffect(() => {
    if (startedSecret.current === action.clientSecret) return
    startedSecret.current = action.clientSecret
    void startAction()
  }, [action.clientSecret])

  if (!hasFailed) {
    return (
      <Notice title="Your bank needs your approval">Its page opens in a moment. You pay only once you approve.</Notice>
    )
  }
  return (
    <Dialog
      open
      onClose={() => onAnswer('cancelled')}
      closable={false}
      size="small"
      title="Your bank needs your approval"
      description="We couldn’t open its page. Are you online?"
      actions={
        <>
          <Button variant="secondary" onClick={() => onAnswer('cancelled')}>
            Cancel the payment
          </Button>
          <Button onClick={() => void startAction()}>Try again</Button>
        </>
      }
    />
  )
}

import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import type { NextAction } from '#contract/customer/checkout-calls.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { Authentication } from '../payment/payment-states.ts'
import { loadStripeAccount } from './load-stripe.ts'

type StripeBankProps = { action: NextAction; onAnswer: (answer: Authentication) => void }

/** Milliseconds to wait for Stripe's script on a slow connection before offering a way out. */
const timeoutMs = 15_000

const loaded = async (action: NextAction): Promise<Stripe> => {
  let timer = 0
  const late = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(() => reject(new Error('Stripe’s script did not come')), timeoutMs)
  })
  return await Promise.race([loadStripeAccount(action), late]).finally(() => window.clearTimeout(timer))
}

/**
 * Whether the bank has nothing more to ask; only the server learns the result. Stripe's script throws if no step is
 * pending any more, e.g. after a reload.
 */
const isAnswered = async (action: NextAction): Promise<boolean> => {
  const stripe = await loaded(action)
  const { clientSecret } = action
  const result = await stripe.handleNextAction({ clientSecret }).catch(() => undefined)
  if (result && !result.error) return true
  const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
  return paymentIntent !== undefined && paymentIntent.status !== 'requires_action'
}

/** Runs the bank's authentication inside Stripe's frame. If it cannot be shown, offers a retry. */
export const StripeBankStep = ({ action, onAnswer }: StripeBankProps) => {
  const [stuck, setStuck] = useState(false)
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  const startedSecret = useRef('')

  const startAction = async (): Promise<void> => {
    setStuck(false)
    if (await isAnswered(action).catch(() => false)) answer.current('confirmed')
    else setStuck(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies(startAction): each action is started once
  useEffect(() => {
    if (startedSecret.current === action.clientSecret) return
    startedSecret.current = action.clientSecret
    void startAction()
  }, [action.clientSecret])

  if (!stuck) {
    return (
      <Notice title="Your bank wants to hear from you">
        Its page opens in a moment. Nothing is paid before you say so there.
      </Notice>
    )
  }
  return (
    <Dialog
      open
      onClose={() => onAnswer('cancelled')}
      closable={false}
      size="small"
      title="Your bank wants to hear from you"
      description="Its page could not be shown. Is there a connection?"
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

import { useEffect, useRef, useState } from 'react'
import type { NextAction } from '../../../../contract/checkout.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Authentication } from '../payment-states.ts'
import { stripeOf } from './load-stripe.ts'

type StripeBankProps = { action: NextAction; onAnswer: (answer: Authentication) => void }

/** Whether the bank heard the customer out; what it was told, only the server learns. */
const asked = async (action: NextAction): Promise<boolean> => {
  const stripe = await stripeOf(action)
  const { error } = await stripe.handleNextAction({ clientSecret: action.clientSecret })
  return error === undefined || error.code === 'payment_intent_authentication_failure'
}

/** The bank's question, on the bank's own page inside of Stripe's. Where that can't be shown, it is offered again. */
export const StripeBank = ({ action, onAnswer }: StripeBankProps) => {
  const [stuck, setStuck] = useState(false)
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  const begun = useRef('')

  const begin = async (): Promise<void> => {
    setStuck(false)
    if (await asked(action).catch(() => false)) answer.current('confirmed')
    else setStuck(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies(begin): the bank is asked once for each question
  useEffect(() => {
    if (begun.current === action.clientSecret) return
    begun.current = action.clientSecret
    void begin()
  }, [action.clientSecret])

  if (!stuck) return null
  return (
    <Dialog
      open
      onClose={() => onAnswer('cancelled')}
      closable={false}
      size="small"
      title="Your bank wants to hear from you"
      description="Its page could not be shown. Nothing was charged yet."
      actions={
        <>
          <Button variant="secondary" onClick={() => onAnswer('cancelled')}>
            Cancel the payment
          </Button>
          <Button onClick={() => void begin()}>Try again</Button>
        </>
      }
    />
  )
}

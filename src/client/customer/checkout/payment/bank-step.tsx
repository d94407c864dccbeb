import { lazy, Suspense } from 'react'
import type { Authentication, PaymentState } from './payment-states.ts'

const BankDialog = lazy(async () => ({ default: (await import('../test-provider/test-bank-step.tsx')).TestBankStep }))
const StripeBank = lazy(async () => ({ default: (await import('../stripe/stripe-bank-step.tsx')).StripeBankStep }))

type BankQuestionProps = {
  state: PaymentState
  payment: { authenticate: (answer: Authentication) => Promise<void> }
  cents: number | undefined
}

/** The bank's authentication step for an order increase; renders nothing if it is not required. */
export const BankStep = ({ state, payment, cents }: BankQuestionProps) => {
  if (state.at !== 'requires-action') return null
  const answer = (authentication: Authentication) => void payment.authenticate(authentication)
  return (
    <Suspense>
      {state.action ? (
        <StripeBank key={state.polls} action={state.action} onAnswer={answer} />
      ) : (
        <BankDialog cents={cents} onAnswer={answer} />
      )}
    </Suspense>
  )
}

import { Suspense } from 'react'
import { cardProviders } from '../card/card-providers.tsx'
import type { Authentication, PaymentState } from './payment-states.ts'

type BankStepProps = {
  state: PaymentState
  payment: { authenticate: (answer: Authentication) => Promise<void> }
  cents: number | undefined
}

/** The bank's authentication step; renders nothing if it is not required. */
export const BankStep = ({ state, payment, cents }: BankStepProps) => {
  if (state.at !== 'requires-action') return null
  const provider = cardProviders[state.action.provider]
  const answer = (authentication: Authentication) => void payment.authenticate(authentication)
  return (
    <Suspense>
      <provider.BankStep key={state.polls} action={state.action} cents={cents} onAnswer={answer} />
    </Suspense>
  )
}

import { useRef, useState } from 'react'
import type { Checkout } from '#contract/customer/checkout-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { CartKey } from '#local/store/database.ts'
import { toast } from '#ui/toast/toast.ts'
import type { CheckoutForm } from '../form/checkout-form-values.ts'
import type { StripeAccount } from '../stripe/load-stripe.ts'
import type { MakeCard } from '../stripe/stripe-card-fields.tsx'
import { checkCard, emptyCard, endingOf, type TypedCard, tokenFor } from '../test-provider/test-card.ts'
import { type ChosenCard, chooseCard, useChosenCard } from './chosen-card.ts'

const noErrors: FieldErrors = {}

/** Who takes the card: not known before the studio was asked, and nobody where it takes none. */
export type CardTaker = { by: 'unknown' } | { by: 'nobody' } | { by: 'test' } | ({ by: 'stripe' } & StripeAccount)

export const takerOf = (payment: Checkout['payment'] | undefined): CardTaker => {
  if (!payment) return { by: 'unknown' }
  const { provider, publishableKey, account } = payment
  if (provider === 'test') return { by: 'test' }
  return publishableKey && account ? { by: 'stripe', publishableKey, account } : { by: 'nobody' }
}

export type Card = {
  taker: CardTaker
  chosen: ChosenCard | null
  typed: TypedCard
  type: (card: TypedCard) => void
  errors: FieldErrors
  maker: { current: MakeCard | null }
  /** A token is being made of it. */
  making: boolean
  /** Makes what was given the checkout's card; false where it is not good, and is told so. */
  choose: (form: CheckoutForm) => Promise<boolean>
}

/** The card a checkout is paid with: given to whoever takes it, who makes a token of it. */
export const useCard = (key: CartKey, checkout: Checkout | undefined): Card => {
  const { card: chosen } = useChosenCard(key)
  const [typed, type] = useState(emptyCard)
  const [making, setMaking] = useState(false)
  const maker = useRef<MakeCard>(null)
  const taker = takerOf(checkout?.payment)

  const made = async (form: CheckoutForm): Promise<ChosenCard | null> => {
    if (taker.by === 'stripe') {
      if (!maker.current) toast('The card form is not here yet. Please try again in a moment')
      return (await maker.current?.make(form)) ?? null
    }
    const token = tokenFor(typed.number)
    return taker.by === 'test' && token ? { token, ending: endingOf(typed.number) } : null
  }
  const choose = async (form: CheckoutForm): Promise<boolean> => {
    if (chosen) return true
    setMaking(true)
    const card = await made(form)
    setMaking(false)
    if (card) chooseCard(key, card)
    return card !== null
  }
  const errors = taker.by === 'test' && chosen === null ? checkCard(typed, new Date()) : noErrors
  return { taker, chosen, typed, type, errors, maker, making, choose }
}

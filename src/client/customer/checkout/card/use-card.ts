import { useRef, useState } from 'react'
import type { Checkout } from '#contract/customer/checkout-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { CartKey } from '#local/store/database.ts'
import { toast } from '#ui/toast/toast.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { StripeAccount } from '../stripe/load-stripe.ts'
import type { CardTokenizer } from '../stripe/stripe-card-fields.tsx'
import {
  type CardInput,
  emptyCard,
  lastFourDigits,
  testTokenFor,
  validateTestCard,
} from '../test-provider/test-card.ts'
import { type ChosenCard, chooseCard, useChosenCard } from './chosen-card.ts'

const noErrors: FieldErrors = {}

/** The payment provider: unknown until the studio is loaded. */
export type PaymentProvider = { by: 'unknown' } | { by: 'nobody' } | { by: 'test' } | ({ by: 'stripe' } & StripeAccount)

export const paymentProviderOf = (payment: Checkout['payment'] | undefined): PaymentProvider => {
  if (!payment) return { by: 'unknown' }
  const { provider, publishableKey, account } = payment
  if (provider === 'test') return { by: 'test' }
  return publishableKey && account ? { by: 'stripe', publishableKey, account } : { by: 'nobody' }
}

export type CardState = {
  taker: PaymentProvider
  chosen: ChosenCard | null
  typed: CardInput
  type: (card: CardInput) => void
  errors: FieldErrors
  maker: { current: CardTokenizer | null }
  /** The card is being tokenized. */
  making: boolean
  /**
   * Tokenizes the entered card and selects it for the checkout. Returns false, after showing why, if the card is
   * invalid.
   */
  choose: (form: CheckoutFormValues) => Promise<boolean>
}

/** The card of a checkout: passes the input to the payment provider, which tokenizes it. */
export const useCard = (key: CartKey, checkout: Checkout | undefined): CardState => {
  const { card: chosen } = useChosenCard(key)
  const [typed, type] = useState(emptyCard)
  const [making, setMaking] = useState(false)
  const maker = useRef<CardTokenizer>(null)
  const taker = paymentProviderOf(checkout?.payment)

  const made = async (form: CheckoutFormValues): Promise<ChosenCard | null> => {
    if (taker.by === 'stripe') {
      if (!maker.current) toast('The card form is not here yet. Please try again in a moment')
      return (await maker.current?.tokenize(form)) ?? null
    }
    const token = testTokenFor(typed.number)
    return taker.by === 'test' && token ? { token, ending: lastFourDigits(typed.number) } : null
  }
  const choose = async (form: CheckoutFormValues): Promise<boolean> => {
    if (chosen) return true
    setMaking(true)
    const card = await made(form)
    setMaking(false)
    if (card) chooseCard(key, card)
    return card !== null
  }
  const errors = taker.by === 'test' && chosen === null ? validateTestCard(typed, new Date()) : noErrors
  return { taker, chosen, typed, type, errors, maker, making, choose }
}

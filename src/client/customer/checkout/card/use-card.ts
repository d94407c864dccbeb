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
  provider: PaymentProvider
  chosen: ChosenCard | null
  input: CardInput
  type: (card: CardInput) => void
  errors: FieldErrors
  tokenizer: { current: CardTokenizer | null }
  /** The card is being tokenized. */
  isTokenizing: boolean
  /**
   * Tokenizes the entered card and selects it for the checkout. Returns false, after showing why, if the card is
   * invalid.
   */
  choose: (form: CheckoutFormValues) => Promise<boolean>
}

/** The card of a checkout: passes the input to the payment provider, which tokenizes it. */
export const useCard = (key: CartKey, checkout: Checkout | undefined): CardState => {
  const { card: chosen } = useChosenCard(key)
  const [input, type] = useState(emptyCard)
  const [isTokenizing, setMaking] = useState(false)
  const tokenizer = useRef<CardTokenizer>(null)
  const provider = paymentProviderOf(checkout?.payment)

  const tokenize = async (form: CheckoutFormValues): Promise<ChosenCard | null> => {
    if (provider.by === 'stripe') {
      if (!tokenizer.current) toast('The card form is not here yet. Please try again in a moment')
      return (await tokenizer.current?.tokenize(form)) ?? null
    }
    const token = testTokenFor(input.number)
    return provider.by === 'test' && token ? { token, ending: lastFourDigits(input.number) } : null
  }
  const choose = async (form: CheckoutFormValues): Promise<boolean> => {
    if (chosen) return true
    setMaking(true)
    const card = await tokenize(form)
    setMaking(false)
    if (card) chooseCard(key, card)
    return card !== null
  }
  const errors = provider.by === 'test' && chosen === null ? validateTestCard(input, new Date()) : noErrors
  return { provider, chosen, input, type, errors, tokenizer, isTokenizing, choose }
}

import { type RefObject, useRef, useState } from 'react'
import type { Checkout } from '#contract/customer/checkout-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { CardInput, CardProvider, CardTokenizer } from './card-provider.ts'
import { cardProviders } from './card-providers.tsx'
import type { ChosenCard } from './chosen-card.ts'

const noErrors: FieldErrors = {}

export type CardFieldsState = {
  /** Undefined until the studio is loaded. */
  payment: Checkout['payment'] | undefined
  /** Null until the studio is loaded, or if the studio does not accept cards. */
  provider: CardProvider | null
  input: CardInput
  onInput: (input: CardInput) => void
  /** Validation errors of the input, by field. */
  errors: FieldErrors
  tokenizer: RefObject<CardTokenizer | null>
  isTokenizing: boolean
  /** Tokenizes the entered card. Resolves to null if the card is invalid or the fields are not loaded. */
  tokenize: (form: CheckoutFormValues) => Promise<ChosenCard | null>
}

const usableProvider = (payment: Checkout['payment']): CardProvider | null => {
  const provider = cardProviders[payment.provider]
  return provider.acceptsCards(payment) ? provider : null
}

/** The input, errors and tokenizer of the card fields of the studio's payment provider. */
export const useCardFields = (payment: Checkout['payment'] | undefined): CardFieldsState => {
  const [input, setInput] = useState<CardInput>({})
  const [isTokenizing, setIsTokenizing] = useState(false)
  const tokenizer = useRef<CardTokenizer>(null)
  const provider = payment ? usableProvider(payment) : null

  const tokenize = async (form: CheckoutFormValues): Promise<ChosenCard | null> => {
    setIsTokenizing(true)
    const card = await tokenizer.current?.tokenize(form)
    setIsTokenizing(false)
    return card ?? null
  }
  const errors = provider?.validate(input, new Date()) ?? noErrors
  return { payment, provider, input, onInput: setInput, errors, tokenizer, isTokenizing, tokenize }
}

import { type RefObject, useRef, useState } from 'react'
import type { IncreaseQuote } from '#contract/customer/order-adjustment-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { ProviderFields, TestPaymentNotice } from '../card/provider-fields.tsx'
import { type PaymentProvider, paymentProviderOf } from '../card/use-card.ts'
import styles from '../checkout.module.css'
import { emptyCheckoutForm } from '../form/checkout-form-values.ts'
import type { CardTokenizer } from '../stripe/stripe-card-fields.tsx'
import { type CardInput, emptyCard, testTokenFor, validateTestCard } from '../test-provider/test-card.ts'

const noErrors: FieldErrors = {}

export type OrderIncreaseCardState = {
  provider: PaymentProvider
  input: CardInput
  type: (card: CardInput) => void
  errors: FieldErrors
  tokenizer: RefObject<CardTokenizer | null>
  isTokenizing: boolean
  /**
   * Creates a card token for each tap, since a token pays once. Null if nothing is to be paid; undefined if the card is
   * not valid yet.
   */
  token: () => Promise<string | null | undefined>
}

/** The card for an order increase; it lives as long as the screen. */
export const useOrderIncreaseCard = (priced: IncreaseQuote | null): OrderIncreaseCardState => {
  const [input, type] = useState(emptyCard)
  const [isOpen, setIsOpen] = useState(false)
  const [isTokenizing, setMaking] = useState(false)
  const tokenizer = useRef<CardTokenizer>(null)
  const provider = paymentProviderOf(priced?.payment)
  const faults = provider.by === 'test' ? validateTestCard(input, new Date()) : noErrors

  const ofStripe = async (): Promise<string | undefined> => {
    if (!priced) return undefined
    const { customer, billingAddress } = priced.payer
    setMaking(true)
    const form = { ...emptyCheckoutForm, customer, billingAddress: billingAddress ?? emptyCheckoutForm.billingAddress }
    const card = await tokenizer.current?.tokenize(form)
    setMaking(false)
    return card?.token
  }
  const token = async (): Promise<string | null | undefined> => {
    if (priced?.chargeCents === 0) return null
    setIsOpen(true)
    if (provider.by === 'stripe') return await ofStripe()
    const isGood = provider.by === 'test' && Object.keys(faults).length === 0
    return isGood ? (testTokenFor(input.number) ?? undefined) : undefined
  }
  return { provider, input, type, errors: isOpen ? faults : noErrors, tokenizer, isTokenizing, token }
}

/** The card fields of the studio's payment provider. */
export const OrderIncreaseCard = ({ card, cents }: { card: OrderIncreaseCardState; cents: number }) => (
  <section className={styles.section} aria-labelledby="more-card">
    <h2 id="more-card">Card</h2>
    {card.provider.by === 'test' && <TestPaymentNotice />}
    <ProviderFields {...card} cents={cents} unchanged="order" />
  </section>
)

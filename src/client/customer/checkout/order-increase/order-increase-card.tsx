import { useState } from 'react'
import type { IncreaseQuote } from '#contract/customer/order-adjustment-calls.ts'
import { type FieldErrors, isValid } from '#domain/shared/validators.ts'
import { CardFields } from '../card/card-fields.tsx'
import { type CardFieldsState, useCardFields } from '../card/use-card-fields.ts'
import styles from '../checkout.module.css'
import { formFromDraft } from '../form/checkout-form-values.ts'

const noErrors: FieldErrors = {}

export type OrderIncreaseCardState = CardFieldsState & {
  /**
   * Creates a card token for each tap, since a token pays once. Null if nothing is to be paid; undefined if the card is
   * not valid yet.
   */
  token: () => Promise<string | null | undefined>
}

/** The card for an order increase. It is discarded when the screen closes. */
export const useOrderIncreaseCard = (quote: IncreaseQuote | null): OrderIncreaseCardState => {
  const fields = useCardFields(quote?.payment)
  const [isOpen, setIsOpen] = useState(false)
  const token = async (): Promise<string | null | undefined> => {
    if (quote?.chargeCents === 0) return null
    setIsOpen(true)
    if (!quote || !isValid(fields.errors)) return undefined
    // The payer has the shape of a draft that was typed in two fields for the name.
    return (await fields.tokenize(formFromDraft(quote.payer)))?.token
  }
  return { ...fields, errors: isOpen ? fields.errors : noErrors, token }
}

/** The card fields of the studio's payment provider. */
export const OrderIncreaseCard = ({ card, cents }: { card: OrderIncreaseCardState; cents: number }) => (
  <section className={styles.section} aria-labelledby="more-card">
    <h2 id="more-card">Card</h2>
    {card.provider?.Notice && <card.provider.Notice />}
    <CardFields card={card} errors={card.errors} cents={cents} savedItem="order" />
  </section>
)

import type { Checkout } from '#contract/customer/checkout-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import type { CartKey } from '#local/store/rows.ts'
import { toast } from '#ui/toast/toast.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import { type ChosenCard, chooseCard, useChosenCard } from './chosen-card.ts'
import { type CardFieldsState, useCardFields } from './use-card-fields.ts'

const noErrors: FieldErrors = {}

export type CardState = CardFieldsState & {
  chosen: ChosenCard | null
  /**
   * Tokenizes the entered card and selects it for the checkout. Returns false, after showing why, if the card is
   * invalid.
   */
  choose: (form: CheckoutFormValues) => Promise<boolean>
}

/** The card of a checkout: passes the input to the payment provider, which tokenizes it. */
export const useCard = (key: CartKey, checkout: Checkout | undefined): CardState => {
  const { card: chosen } = useChosenCard(key)
  const fields = useCardFields(checkout?.payment)

  const choose = async (form: CheckoutFormValues): Promise<boolean> => {
    if (chosen) return true
    if (fields.provider && !fields.tokenizer.current) {
      toast('The card form hasn’t loaded yet. Please try again in a moment')
    }
    const card = await fields.tokenize(form)
    if (card) chooseCard(key, card)
    return card !== null
  }
  return { ...fields, errors: chosen ? noErrors : fields.errors, chosen, choose }
}

import { cartProblemMessages } from '#domain/cart/cart-rules.ts'
import type { PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { printedText, unprintableLetters, unprintableMessage } from '#domain/printing/printable-letters.ts'
import { validationMessages } from '#domain/shared/validators.ts'

export type PersonalizationErrors = { name: string | null; year: string | null; placement: string | null }

const printedTextError = (text: string, isPrinted: boolean): string | null => {
  if (!isPrinted) return null
  const unprintable = unprintableLetters(text)
  if (unprintable.length > 0) return unprintableMessage(unprintable)
  return printedText(text) === '' ? validationMessages.required : null
}

/** The validation errors of a name and year choice, by field; null if it is valid. */
export const personalizationErrors = (choice: PersonalizationChoice): PersonalizationErrors | null => {
  const hasName = choice.nameOnAllPrints || choice.nameOnWallets
  const hasYear = choice.yearOnAllPrints || choice.yearOnWallets
  const name = printedTextError(choice.nameToPrint, hasName)
  const year = printedTextError(choice.yearToPrint, hasYear)
  const placement = hasName || hasYear ? null : cartProblemMessages['personalization-empty']
  return name || year || placement ? { name, year, placement } : null
}

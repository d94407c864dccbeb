import type { CartPackage } from '#domain/cart/cart.ts'
import { closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import {
  incompleteCartProblem,
  messagesByLine,
  pricesChangedProblem,
  withdrawnLinesProblem,
} from '#server/orders/sale/validate-sale.ts'
import type { CheckoutContext } from './checkout-context.ts'

/** Why a cart cannot be ordered. */
export const validateCart = (
  context: CheckoutContext,
): Problem<'refused' | 'prices-changed' | 'cart-incomplete'> | undefined => {
  const { cart, closed } = context
  if (closed) return problem('refused', closedReasonMessages[closed])
  if (cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const invalid = withdrawnLinesProblem(context) ?? pricesChangedProblem(context)
  return invalid ?? incompleteCartProblem(context) ?? unansweredFields(context)
}

/** For prepay: fields that the job asks about a subject and that have no answer. */
const unansweredFields = ({ cart, fields }: CheckoutContext): Problem<'cart-incomplete'> | undefined => {
  if (cart.orderMethod !== 'prepay') return undefined
  const missingIn = ({ dataFields }: CartPackage) => fieldsWithoutAnswer(fields, dataFields)
  const incomplete = cart.cartPackages.filter((line) => missingIn(line).length > 0)
  if (incomplete.length === 0) return undefined
  const sentence = (line: CartPackage): string =>
    `Tell us about ${line.snapshot.subject.firstName}: ${missingIn(line)
      .map(({ label }) => label)
      .join(', ')}`
  return problem('cart-incomplete', [...new Set(incomplete.map(sentence))], {
    fields: messagesByLine(incomplete, sentence),
  })
}

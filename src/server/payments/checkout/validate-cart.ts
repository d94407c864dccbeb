import type { CartPackage } from '#domain/cart/cart.ts'
import { closedReasonMessages } from '#domain/catalogue/job-availability.ts'
import { fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import {
  blockedLinesProblem,
  incompleteCartProblem,
  messagesByLine,
  offerChangedProblem,
} from '#server/orders/sale/validate-sale.ts'
import type { CheckoutContext } from './checkout-context.ts'

/** The problem if a cart cannot be ordered. */
export const validateCart = (
  context: CheckoutContext,
): Problem<'refused' | 'prices-changed' | 'cart-incomplete'> | undefined => {
  const { cart, closed } = context
  if (closed) return problem('refused', closedReasonMessages[closed])
  if (cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const contentProblem = blockedLinesProblem(context) ?? offerChangedProblem(context)
  return contentProblem ?? incompleteCartProblem(context) ?? unansweredFieldsProblem(context)
}

/** The problem if a prepay cart has fields without an answer. */
const unansweredFieldsProblem = ({ cart, fields }: CheckoutContext): Problem<'cart-incomplete'> | undefined => {
  if (cart.orderMethod !== 'prepay') return undefined
  const unansweredFieldsOf = ({ dataFields }: CartPackage) => fieldsWithoutAnswer(fields, dataFields)
  const incompleteLines = cart.cartPackages.filter((line) => unansweredFieldsOf(line).length > 0)
  if (incompleteLines.length === 0) return undefined
  const messageFor = (line: CartPackage): string =>
    `Answer the questions about ${line.snapshot.subject.firstName}: ${unansweredFieldsOf(line)
      .map(({ label }) => label)
      .join(', ')}`
  return problem('cart-incomplete', [...new Set(incompleteLines.map(messageFor))], {
    fields: messagesByLine(incompleteLines, messageFor),
  })
}

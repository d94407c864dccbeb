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

/** What keeps a cart from being ordered at all. */
export const validateCart = (
  situation: CheckoutContext,
): Problem<'refused' | 'prices-changed' | 'cart-incomplete'> | undefined => {
  const { cart, closed } = situation
  if (closed) return problem('refused', closedReasonMessages[closed])
  if (cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const objection = withdrawnLinesProblem(situation) ?? pricesChangedProblem(situation)
  return objection ?? incompleteCartProblem(situation) ?? unansweredFields(situation)
}

/** Before the picture day: what the job asks of each person and nobody answered. */
const unansweredFields = ({ cart, fields }: CheckoutContext): Problem<'cart-incomplete'> | undefined => {
  if (cart.orderMethod !== 'prepay') return undefined
  const openIn = ({ dataFields }: CartPackage) => fieldsWithoutAnswer(fields, dataFields)
  const open = cart.cartPackages.filter((line) => openIn(line).length > 0)
  if (open.length === 0) return undefined
  const sentence = (line: CartPackage): string =>
    `Tell us about ${line.snapshot.subject.firstName}: ${openIn(line)
      .map(({ label }) => label)
      .join(', ')}`
  return problem('cart-incomplete', [...new Set(open.map(sentence))], { fields: messagesByLine(open, sentence) })
}

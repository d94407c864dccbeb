import type { CartPackage } from '#domain/cart/cart.ts'
import { closedSentences } from '#domain/catalogue/job-availability.ts'
import { unansweredOf } from '#domain/subjects/custom-fields.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { byLine, incompleteness, priceObjection, withdrawnObjection } from '#server/orders/sale/validate-sale.ts'
import type { Situation } from './checkout-context.ts'

/** What keeps a cart from being ordered at all. */
export const cartObjection = (
  situation: Situation,
): Problem<'refused' | 'prices-changed' | 'cart-incomplete'> | undefined => {
  const { cart, closed } = situation
  if (closed) return problem('refused', closedSentences[closed])
  if (cart.cartPackages.length === 0) return problem('refused', 'Your cart is empty')
  const objection = withdrawnObjection(situation) ?? priceObjection(situation)
  return objection ?? incompleteness(situation) ?? unansweredFields(situation)
}

/** Before the picture day: what the job asks of each person and nobody answered. */
const unansweredFields = ({ cart, fields }: Situation): Problem<'cart-incomplete'> | undefined => {
  if (cart.orderMethod !== 'prepay') return undefined
  const openIn = ({ dataFields }: CartPackage) => unansweredOf(fields, dataFields)
  const open = cart.cartPackages.filter((line) => openIn(line).length > 0)
  if (open.length === 0) return undefined
  const sentence = (line: CartPackage): string =>
    `Tell us about ${line.snapshot.subject.firstName}: ${openIn(line)
      .map(({ label }) => label)
      .join(', ')}`
  return problem('cart-incomplete', [...new Set(open.map(sentence))], { fields: byLine(open, sentence) })
}

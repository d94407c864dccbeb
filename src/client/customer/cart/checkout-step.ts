import { lineCompleteness } from '#domain/cart/completeness.ts'
import { type LineBlocker, lineBlocker } from '#domain/cart/line-blocker.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type CustomField, fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { failureCauseOf } from '#local/transport/failure-cause.ts'
import { orderedServices } from '../shared/order-services/ordered-services.ts'
import { packageChange } from './line-labels.ts'

/** The state of a history entry: the customer has tapped "Checkout", so the confirmation step goes on by itself. */
export const continuesToCheckout = { continues: true }

export type CheckoutStep = { canContinue: true; to: 'checkout' | 'confirm' } | { canContinue: false; why: string }

type CheckoutStepInput = {
  view: CartView
  offeredPackages: readonly Package[] | undefined
  /** The custom fields that the job asks for each subject before picture day. */
  fields: readonly CustomField[] | undefined
  services: JobServices | undefined
  online: boolean
  closedReason: string | null
  /** The studio cannot accept payments. */
  isPaymentUnavailable?: boolean
}

const blockerMessages = {
  'photo-withdrawn': 'Choose another photo for a package',
  'person-hidden': 'A package can’t be ordered any more',
  'person-hidden-without-photo': 'A package can’t be ordered any more',
  'person-unconfirmed': 'Confirm who a package is for',
} as const satisfies Record<LineBlocker, string>

const unreachableMessage = (): string =>
  failureCauseOf({ status: 'unreachable' }) === 'offline' ? 'You can pay once you’re online' : 'No answer yet'

/** The next checkout step, or the reason why it is blocked. */
export const checkoutStep = ({
  view,
  offeredPackages,
  fields = [],
  services,
  online,
  closedReason,
  isPaymentUnavailable,
}: CheckoutStepInput): CheckoutStep => {
  if (closedReason !== null) return { canContinue: false, why: closedReason }
  if (isPaymentUnavailable && view.totalCents > 0)
    return { canContinue: false, why: 'The studio can’t take payments yet' }
  if (view.cart.state === 'frozen') return { canContinue: false, why: 'Your payment is being confirmed' }
  const firstBlocker = view.lines.map(({ line }) => lineBlocker(line)).find((blocker) => blocker !== null)
  if (firstBlocker) return { canContinue: false, why: blockerMessages[firstBlocker] }
  if (view.lines.some(({ line }) => !lineCompleteness(line, view.cart.orderMethod).all))
    return { canContinue: false, why: 'A package isn’t finished' }
  const cartServices = orderedServices(view.cart, services)
  if (cartServices.some(({ isWithdrawn }) => isWithdrawn))
    return { canContinue: false, why: 'Choose another photo for the retouching' }
  if (view.lines.some(({ line }) => packageChange(line, offeredPackages)) || cartServices.some(({ change }) => change))
    return { canContinue: false, why: 'See what the studio changed' }
  const unansweredLine = view.lines.find(({ line }) => fieldsWithoutAnswer(fields, line.dataFields).length > 0)
  if (unansweredLine)
    return { canContinue: false, why: `Answer the questions about ${unansweredLine.line.snapshot.subject.firstName}` }
  if (!online) return { canContinue: false, why: `${unreachableMessage()}. Your cart is saved.` }
  return { canContinue: true, to: view.status.kind === 'sent' ? 'checkout' : 'confirm' }
}

import { lineCompleteness } from '#domain/cart/completeness.ts'
import { type LineBlocker, lineBlocker } from '#domain/cart/line-blocker.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type CustomField, fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { failureCauseOf } from '#local/transport/failure-cause.ts'
import { orderedServices } from '../shared/order-services/ordered-services.ts'
import { packageChange } from './line-labels.ts'

export type CheckoutStep = { may: true; to: 'checkout' | 'confirm' } | { may: false; why: string }

type CheckoutStepInput = {
  view: CartView
  offered: readonly Package[] | undefined
  /** The custom fields that the job asks for each subject before picture day. */
  fields: readonly CustomField[] | undefined
  services: JobServices | undefined
  online: boolean
  closed: string | null
  /** The studio cannot accept payments. */
  unpayable?: boolean
}

const blockWords = {
  'photo-withdrawn': 'Choose another photo for a package',
  'person-hidden': 'A package can’t be ordered any more',
  'person-hidden-without-photo': 'A package can’t be ordered any more',
  'person-unconfirmed': 'Confirm the person a package is for',
} as const satisfies Record<LineBlocker, string>

const awayWords = (): string =>
  failureCauseOf({ status: 'unreachable' }) === 'offline' ? 'Paying needs a connection' : 'There was no answer yet'

/** The URL of the next checkout step, or the reason why it is blocked and how to resolve it. */
export const checkoutStep = ({
  view,
  offered,
  fields = [],
  services,
  online,
  closed,
  unpayable,
}: CheckoutStepInput): CheckoutStep => {
  if (closed !== null) return { may: false, why: closed }
  if (unpayable && view.totalCents > 0) return { may: false, why: 'The studio can’t take payments yet' }
  if (view.cart.state === 'frozen') return { may: false, why: 'Your payment is being confirmed' }
  const block = view.lines.map(({ line }) => lineBlocker(line)).find((one) => one !== null)
  if (block) return { may: false, why: blockWords[block] }
  if (view.lines.some(({ line }) => !lineCompleteness(line, view.cart.orderMethod).all))
    return { may: false, why: 'Something is missing in a package' }
  const ordered = orderedServices(view.cart, services)
  if (ordered.some(({ isWithdrawn }) => isWithdrawn))
    return { may: false, why: 'Choose another photo for the retouching' }
  if (view.lines.some(({ line }) => packageChange(line, offered)) || ordered.some(({ change }) => change))
    return { may: false, why: 'Look at what the studio changed' }
  const silent = view.lines.find(({ line }) => fieldsWithoutAnswer(fields, line.dataFields).length > 0)
  if (silent) return { may: false, why: `The studio asks about ${silent.line.snapshot.subject.firstName}` }
  if (!online) return { may: false, why: `${awayWords()}. Your cart is saved.` }
  return { may: true, to: view.status.kind === 'sent' ? 'checkout' : 'confirm' }
}

import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Address } from '#contract/shapes/order-structs.ts'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import { promotionErrorMessages } from '#domain/pricing/promotion.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { email, phone, type Rules, required, validate, when } from '#domain/shared/validators.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { promotionError, typedCodeError } from '../sale/checkout-promotion.ts'
import type { Sale } from '../sale/sale-terms.ts'
import { deliveryErrors } from '../sale/shipping-choice.ts'
import { incompleteCartProblem, offerChangedProblem } from '../sale/validate-sale.ts'
import { buildEntryCart } from './entry-cart.ts'
import { type EntryContext, readEntryContext } from './entry-context.ts'

/** A form as a sale, with its parts; `faults` are the errors, by field, that prevent the sale. */
export type EntrySale = {
  sale: Sale
  details: CheckoutDetails
  context: EntryContext
  faults: Record<string, string[]>
}

type EntryProblem = Problem<'not-found' | 'refused'>

const emptyAddress: Address = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }

/** The address of a sale: the customer's, or else the studio's, where the order is handed over and taxed. */
const saleAddress = ({ address }: EntryDraft, { studioAddress }: EntryContext): Address =>
  address ?? { ...emptyAddress, ...studioAddress }

const detailsOf = (draft: EntryDraft, context: EntryContext): CheckoutDetails => {
  const { customer, shippingOption, orderMethod, promoCode } = draft
  const address = saleAddress(draft, context)
  const [major = 3, minor = 0] = context.jobVersion.split('.').map(Number)
  return {
    customer,
    billingAddress: address,
    shippingAddress: address,
    shippingAddressSameAsBillingAddress: true,
    payMethod: 'none',
    shippingOption: { code: shippingOption ?? '' },
    isPartOfBatchOrder: shippingOption === null,
    promoCode: { code: promoCode.trim() || null },
    paymentToken: null,
    mailToHome: shippingOption !== null,
    orderMethod,
    jobVersion: { major, minor },
    isV3Job: true,
    recreatePaymethod: false,
  }
}

const isNotBlank =
  (path: 'email' | 'phone') =>
  ({ customer }: EntryDraft) =>
    customer[path].trim() !== ''

const customerRules: Rules<EntryDraft> = {
  'customer.firstName': required(),
  'customer.lastName': required(),
  'customer.email': when(isNotBlank('email'), (value, model) => email<EntryDraft>()(String(value).trim(), model)),
  'customer.phone': when(isNotBlank('phone'), (value, model) => phone<EntryDraft>()(String(value).trim(), model)),
}

const addressRules: Rules<EntryDraft> = {
  'address.address1': required(),
  'address.city': required(),
  'address.state': required(),
  'address.zip': required(),
}

const addressFaults = async ({ addresses }: Deps, { address }: EntryDraft): Promise<Record<string, string[]>> => {
  if (!address || address.state.trim() === '' || address.zip.trim() === '') return {}
  const { faults } = await addresses.check(address)
  return Object.fromEntries(Object.entries(faults).map(([part, message]) => [`address.${part}`, [message]]))
}

const promotionFaults = (deps: Deps, sale: Sale, { promoCode }: EntryDraft): Record<string, string[]> => {
  if (promoCode.trim() === '') return {}
  const error = sale.promotion ? typedCodeError(deps, sale) : promotionError(deps, sale, null)
  return error === null ? {} : { promoCode: [promotionErrorMessages[error]] }
}

/** Maps errors of cart lines to the lines of the form. */
const byFormLine = (cartProblem: Problem, formLineIndexes: ReadonlyMap<string, number>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(cartProblem.details.fields ?? {}).map(([name, messages]) => {
      const index = formLineIndexes.get(name)
      return [index === undefined ? name : `lines.${index}`, messages]
    }),
  )

const faultsOf = async (
  deps: Deps,
  {
    sale,
    details,
    formLineIndexes,
  }: Pick<EntrySale, 'sale' | 'details'> & { formLineIndexes: ReadonlyMap<string, number> },
  draft: EntryDraft,
): Promise<Record<string, string[]>> => {
  const isMailed = draft.shippingOption !== null && hasPrints(sale.cart)
  const { 'shippingOption.code': option, isPartOfBatchOrder: batch, ...otherErrors } = deliveryErrors(sale, details)
  const shippingOption = [...(option ?? []), ...(batch ?? [])]
  const incomplete = incompleteCartProblem(sale)
  return {
    ...(incomplete && byFormLine(incomplete, formLineIndexes)),
    ...validate(draft, { ...customerRules, ...(isMailed && addressRules) }),
    ...(await addressFaults(deps, draft)),
    ...(shippingOption.length > 0 && { shippingOption }),
    ...otherErrors,
    ...promotionFaults(deps, sale, draft),
  }
}
/**
 * Builds a sale from a form by the rules of the checkout, with the errors that are still to be fixed. Refused if the studio does not sell
 * something on the form. A form may be entered after online ordering has closed.
 */
export const buildEntrySale = async (
  deps: Deps,
  job: JobKey,
  { draft, entryKey }: { draft: EntryDraft; entryKey: string },
): Promise<EntrySale | EntryProblem> => {
  const context = await readEntryContext(deps.db, job, { draft, entryKey, now: deps.clock() })
  if (!context) return problem('not-found')
  if (context.isArchived) return problem('refused', 'This job is archived. Restore it first')
  const entryCart = buildEntryCart(deps, context, { jobId: job.jobId, draft })
  if (entryCart instanceof Problem) return entryCart
  const { cart, formLineIndexes } = entryCart
  const details = detailsOf(draft, context)
  const { terms, promotion, automaticPromotions } = context
  const promotionIds = { promotionId: promotion?.id ?? null, promotionCodeId: promotion?.codeId ?? null }
  // A paper form may have been handed in before the last day to order.
  const sale = {
    ...terms,
    latePrice: null,
    cart,
    checkout: { id: entryKey, details, ...promotionIds },
    promotion,
    automaticPromotions,
  }
  const unavailable = offerChangedProblem(sale)
  if (unavailable)
    return problem('refused', unavailable.details.messages, { fields: byFormLine(unavailable, formLineIndexes) })
  return { sale, details, context, faults: await faultsOf(deps, { sale, details, formLineIndexes }, draft) }
}

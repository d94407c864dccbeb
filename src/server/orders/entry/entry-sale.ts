import type { Address, CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { EntryDraft } from '#contract/studio/order-entry.ts'
import { promotionErrorMessages } from '#domain/pricing/promotion.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { email, phone, type Rules, required, validate, when } from '#domain/shared/validators.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { promotionError } from '../sale/checkout-promotion.ts'
import type { Sale } from '../sale/sale-terms.ts'
import { deliveryErrors } from '../sale/shipping-choice.ts'
import { incompleteCartProblem, pricesChangedProblem } from '../sale/validate-sale.ts'
import { buildEntryCart } from './entry-cart.ts'
import { type EntryContext, readEntryContext } from './entry-context.ts'

/** A form as it would be sold, with what it is made of; `faults` is what keeps it from that, by the fields that say so. */
export type EntrySale = { sale: Sale; details: CheckoutDetails; facts: EntryContext; faults: Record<string, string[]> }

type Refused = Problem<'not-found' | 'refused'>

const nowhere: Address = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }

/** Without an address of the customer's it is sold at the studio's: that is where it is handed over. */
const placeOf = ({ address }: EntryDraft, { studioAddress }: EntryContext): Address =>
  address ?? { ...nowhere, ...studioAddress }

const detailsOf = (draft: EntryDraft, facts: EntryContext): CheckoutDetails => {
  const { customer, shippingOption, orderMethod, promoCode } = draft
  const place = placeOf(draft, facts)
  const [major = 3, minor = 0] = facts.jobVersion.split('.').map(Number)
  return {
    customer,
    billingAddress: place,
    shippingAddress: place,
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

const isGiven =
  (path: 'email' | 'phone') =>
  ({ customer }: EntryDraft) =>
    customer[path].trim() !== ''

const personRules: Rules<EntryDraft> = {
  'customer.firstName': required(),
  'customer.lastName': required(),
  'customer.email': when(isGiven('email'), (value, model) => email<EntryDraft>()(String(value).trim(), model)),
  'customer.phone': when(isGiven('phone'), (value, model) => phone<EntryDraft>()(String(value).trim(), model)),
}

const mailed: Rules<EntryDraft> = {
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
  const why = promotionError(deps, sale, sale.promotion)
  return why === null ? {} : { promoCode: [promotionErrorMessages[why]] }
}

/** What was said of a cart's lines, of the lines of the form they are. */
const byPlace = (refused: Problem, places: ReadonlyMap<string, number>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(refused.details.fields ?? {}).map(([name, said]) => {
      const place = places.get(name)
      return [place === undefined ? name : `lines.${place}`, said]
    }),
  )

const faultsOf = async (
  deps: Deps,
  { sale, details, places }: Pick<EntrySale, 'sale' | 'details'> & { places: ReadonlyMap<string, number> },
  draft: EntryDraft,
): Promise<Record<string, string[]>> => {
  const isMailed = draft.shippingOption !== null && hasPrints(sale.cart)
  const { 'shippingOption.code': option, isPartOfBatchOrder: batch, ...others } = deliveryErrors(sale, details)
  const shippingOption = [...(option ?? []), ...(batch ?? [])]
  const unfinished = incompleteCartProblem(sale)
  return {
    ...(unfinished && byPlace(unfinished, places)),
    ...validate(draft, { ...personRules, ...(isMailed && mailed) }),
    ...(await addressFaults(deps, draft)),
    ...(shippingOption.length > 0 && { shippingOption }),
    ...others,
    ...promotionFaults(deps, sale, draft),
  }
}

/**
 * Makes a sale of a form, by the same rules as of a cart at the checkout, with what is still to be put right on it; refused where
 * something of it is not sold at all. A form that came in time may be keyed in later: that the job takes no more orders over the
 * internet is no matter.
 */
export const buildEntrySale = async (
  deps: Deps,
  job: JobKey,
  { draft, entryKey }: { draft: EntryDraft; entryKey: string },
): Promise<EntrySale | Refused> => {
  const facts = await readEntryContext(deps.db, job, { draft, entryKey, now: deps.clock() })
  if (!facts) return problem('not-found')
  if (facts.isArchived) return problem('refused', 'This job is archived. Restore it first')
  const filled = buildEntryCart(deps, facts, { jobId: job.jobId, draft })
  if (filled instanceof Problem) return filled
  const { cart, places } = filled
  const details = detailsOf(draft, facts)
  const { terms, promotion } = facts
  const sale = { ...terms, cart, checkout: { id: entryKey, details, promotionId: promotion?.id ?? null }, promotion }
  const gone = pricesChangedProblem(sale)
  if (gone) return problem('refused', gone.details.sentences, { fields: byPlace(gone, places) })
  return { sale, details, facts, faults: await faultsOf(deps, { sale, details, places }, draft) }
}

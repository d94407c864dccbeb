import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { Address } from '#contract/shapes/order-structs.ts'
import {
  email,
  fixFieldsMessage,
  isValid,
  phone,
  type Rules,
  required,
  type Validator,
  validate,
} from '#domain/shared/validators.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { deliveryErrors, shippingAddressOf } from '#server/orders/sale/shipping-choice.ts'
import type { CheckoutContext } from './checkout-context.ts'

const trimFirst =
  <Model>(validator: Validator<Model>): Validator<Model> =>
  (value, model) =>
    validator(typeof value === 'string' ? value.trim() : value, model)

const unlessEmpty =
  <Model>(validator: Validator<Model>): Validator<Model> =>
  (value, model) =>
    value === '' ? null : trimFirst(validator)(value, model)

const addressRules = (path: string): Rules<CheckoutDetails> => ({
  [`${path}.address1`]: required(),
  [`${path}.city`]: required(),
  [`${path}.state`]: required(),
  [`${path}.zip`]: required(),
})

const customerRules: Rules<CheckoutDetails> = {
  'customer.firstName': required(),
  'customer.lastName': required(),
  'customer.email': [required(), unlessEmpty(email())],
  'customer.phone': trimFirst(phone('required')),
}

const isMailedElsewhere = (details: CheckoutDetails): boolean =>
  !details.isPartOfBatchOrder && !details.shippingAddressSameAsBillingAddress

const rulesFor = (details: CheckoutDetails): Rules<CheckoutDetails> => ({
  ...customerRules,
  ...addressRules('billingAddress'),
  ...(isMailedElsewhere(details) && {
    'shippingAddress.firstName': required(),
    'shippingAddress.lastName': required(),
    ...addressRules('shippingAddress'),
  }),
})

const addressFaults = async (
  { addresses }: Deps,
  { path, address }: { path: string; address: Address },
): Promise<Record<string, string[]>> => {
  if (address.state.trim() === '' || address.zip.trim() === '') return {}
  const { faults } = await addresses.check(address)
  return Object.fromEntries(Object.entries(faults).map(([part, message]) => [`${path}.${part}`, [message]]))
}

/** Validates the checkout form (section 5) and returns its messages by field. */
export const validateDetails = async (
  deps: Deps,
  context: CheckoutContext,
  details: CheckoutDetails,
): Promise<Problem<'refused'> | undefined> => {
  const shippingAddress = isMailedElsewhere(details) ? shippingAddressOf(details) : null
  const fields = {
    ...validate(details, rulesFor(details)),
    ...(await addressFaults(deps, { path: 'billingAddress', address: details.billingAddress })),
    ...(shippingAddress && (await addressFaults(deps, { path: 'shippingAddress', address: shippingAddress }))),
    ...deliveryErrors(context, details),
  }
  return isValid(fields) ? undefined : problem('refused', fixFieldsMessage, { fields })
}

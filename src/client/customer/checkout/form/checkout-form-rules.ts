import { isPostalCode, usStates } from '#domain/shared/us-states.ts'
import {
  type Condition,
  email,
  type FieldErrors,
  oneOf,
  phone,
  type Rules,
  required,
  requiredIf,
  type Validator,
  validate,
  when,
} from '#domain/shared/validators.ts'
import { type CheckoutFormValues, splitName } from './checkout-form-values.ts'

const nameMessage = 'Enter a first and a last name'
const stateMessage = 'This value is not a state we know'
const postalCodeMessage = 'This value is not a valid ZIP code'

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

// An empty required field reports only that it is required.
const ifFilled =
  <Model>(validator: Validator<Model>): Validator<Model> =>
  (value, model) =>
    isFilled(value) ? validator(value, model) : null

const onTrimmed =
  <Model>(validator: Validator<Model>): Validator<Model> =>
  (value, model) =>
    validator(typeof value === 'string' ? value.trim() : value, model)

const postalCode: Validator<CheckoutFormValues> = (value) =>
  typeof value === 'string' && isPostalCode(value) ? null : postalCodeMessage

const fullName: Validator<CheckoutFormValues> = (value) =>
  typeof value === 'string' && splitName(value).lastName !== '' ? null : nameMessage

const state = oneOf<CheckoutFormValues>(
  usStates.map(({ code }) => code),
  stateMessage,
)

const addressRules = (path: string, applies: Condition<CheckoutFormValues>): Rules<CheckoutFormValues> => ({
  [`${path}.address1`]: requiredIf(applies),
  [`${path}.zip`]: [requiredIf(applies), when(applies, ifFilled(postalCode))],
  [`${path}.state`]: [requiredIf(applies), when(applies, ifFilled(state))],
  [`${path}.city`]: requiredIf(applies),
})

const hasOtherShippingAddress: Condition<CheckoutFormValues> = ({ delivery, sameAsBilling }) =>
  delivery === 'home' && !sameAsBilling

const rules: Rules<CheckoutFormValues> = {
  'customer.name': [required(), ifFilled(fullName)],
  'customer.email': [required(), ifFilled(onTrimmed(email()))],
  'customer.phone': onTrimmed(phone('required')),
  ...addressRules('billingAddress', () => true),
  'shippingAddress.name': [requiredIf(hasOtherShippingAddress), when(hasOtherShippingAddress, ifFilled(fullName))],
  ...addressRules('shippingAddress', hasOtherShippingAddress),
}

/** Validates the details, by field. The card and the shipping option are validated where they are shown. */
export const validateCheckoutForm = (form: CheckoutFormValues): FieldErrors => validate(form, rules)

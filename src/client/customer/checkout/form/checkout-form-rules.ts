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
import type { CheckoutFormValues } from './checkout-form-values.ts'

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

const state = oneOf<CheckoutFormValues>(
  usStates.map(({ code }) => code),
  stateMessage,
)

const addressRules = (path: string, applies: Condition<CheckoutFormValues>): Rules<CheckoutFormValues> => ({
  [`${path}.address1`]: requiredIf(applies),
  [`${path}.city`]: requiredIf(applies),
  [`${path}.state`]: [requiredIf(applies), when(applies, ifFilled(state))],
  [`${path}.zip`]: [requiredIf(applies), when(applies, ifFilled(postalCode))],
})

const hasOtherShippingAddress: Condition<CheckoutFormValues> = ({ delivery, sameAsBilling }) =>
  delivery === 'home' && !sameAsBilling

const rules: Rules<CheckoutFormValues> = {
  'customer.firstName': required(),
  'customer.lastName': required(),
  'customer.email': [required(), ifFilled(onTrimmed(email()))],
  'customer.phone': onTrimmed(phone('required')),
  ...addressRules('billingAddress', () => true),
  'shippingAddress.firstName': requiredIf(hasOtherShippingAddress),
  'shippingAddress.lastName': requiredIf(hasOtherShippingAddress),
  ...addressRules('shippingAddress', hasOtherShippingAddress),
}

/** Validates the details, by field. The card and the shipping option are validated where they are shown. */
export const validateCheckoutForm = (form: CheckoutFormValues): FieldErrors => validate(form, rules)

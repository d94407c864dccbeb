import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { WalletApproval } from './card-provider.ts'

/**
 * Fills in the form with what a wallet's owner approved, so that its tax is that of the place that was priced: the shipping address, which for
 * delivery to the studio takes the part of the billing address.
 */
export const fillInApproval = (
  form: CheckoutFormValues,
  { customer, billingAddress, shippingAddress }: Omit<WalletApproval, 'card'>,
  delivery: CheckoutFormValues['delivery'],
): CheckoutFormValues => {
  if (!shippingAddress) return { ...form, customer, billingAddress }
  if (delivery === 'batch') return { ...form, customer, billingAddress: { ...shippingAddress, name: '' } }
  return { ...form, customer, billingAddress, shippingAddress, sameAsBilling: false }
}

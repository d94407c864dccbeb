import styles from '../checkout.module.css'
import { CheckoutField, type CheckoutFormState } from './checkout-field.tsx'

/** The customer's details. The name is also the billing name, so that it is typed once. */
export const CustomerFields = ({ fields }: { fields: CheckoutFormState }) => (
  <section className={styles.section} aria-labelledby="checkout-customer">
    <h2 id="checkout-customer">Contact</h2>
    <CheckoutField
      fields={fields}
      part="customer"
      name="name"
      label="Full name"
      autoComplete="name"
      autoCapitalize="words"
    />
    <CheckoutField
      fields={fields}
      part="customer"
      name="email"
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
    />
    <CheckoutField
      fields={fields}
      part="customer"
      name="phone"
      label="Phone"
      type="tel"
      inputMode="tel"
      autoComplete="tel-national"
    />
  </section>
)

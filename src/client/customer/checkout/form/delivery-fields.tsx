import type { Checkout } from '#contract/customer/checkout-calls.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Price } from '#ui/price.tsx'
import styles from '../checkout.module.css'
import { AddressFields } from './address-fields.tsx'
import type { CheckoutDelivery } from './checkout-delivery.ts'
import type { CheckoutFormState } from './checkout-field.tsx'

type DeliveryFieldsProps = {
  jobId: number
  fields: CheckoutFormState
  delivery: CheckoutDelivery
  /** The server's checkout options; undefined until loaded. */
  checkout: Checkout | undefined
  /** False if the cart holds downloads only. */
  hasPrints: boolean
}

const batchHintOf = (checkout: Checkout | undefined): string =>
  checkout?.arrivals.batch ?? 'Handed out by the studio or school.'

/** Delivery method, shipping address and shipping option. */
export const DeliveryFields = ({ jobId, fields, delivery, checkout, hasPrints }: DeliveryFieldsProps) => {
  const { form, change } = fields
  if (!hasPrints) return <DownloadsOnly />
  return (
    <section className={styles.section} aria-labelledby="checkout-delivery">
      <h2 id="checkout-delivery">Delivery</h2>
      {delivery.choosable && (
        <RadioGroup
          legend="How should we deliver it?"
          hideLegend
          value={delivery.delivery}
          onValue={(method) => change((before) => ({ ...before, delivery: method }))}
          options={[
            { value: 'home', label: 'Ship to home', hint: checkout?.arrivals.home },
            { value: 'batch', label: batchShippingLabel, hint: batchHintOf(checkout) },
          ]}
        />
      )}
      {!delivery.choosable && delivery.delivery === 'batch' && (
        <p>
          <strong>{batchShippingLabel}.</strong> {batchHintOf(checkout)}
        </p>
      )}
      {delivery.delivery === 'home' && (
        <>
          <Checkbox
            label="Ship to this address"
            checked={form.sameAsBilling}
            onValue={(sameAsBilling) => change((before) => withShippingAddress({ ...before, sameAsBilling }))}
          />
          {!form.sameAsBilling && (
            <section className={styles.section} aria-labelledby="checkout-shipping">
              <h3 id="checkout-shipping">Shipping address</h3>
              <AddressFields jobId={jobId} fields={fields} part="shippingAddress" />
            </section>
          )}
          <ShippingOptions fields={fields} delivery={delivery} isLoaded={checkout !== undefined} />
        </>
      )}
    </section>
  )
}

const DownloadsOnly = () => (
  <section className={styles.section} aria-labelledby="checkout-delivery">
    <h2 id="checkout-delivery">Delivery</h2>
    <p>Digital only, no shipping.</p>
  </section>
)

// Most parcels to another address go to the same name, so prefill it.
const withShippingAddress = (form: CheckoutFormState['form']): CheckoutFormState['form'] => {
  if (form.sameAsBilling || form.shippingAddress.name !== '') return form
  return { ...form, shippingAddress: { ...form.shippingAddress, name: form.customer.name } }
}

const ShippingOptions = ({
  fields,
  delivery,
  isLoaded,
}: Pick<DeliveryFieldsProps, 'fields' | 'delivery'> & { isLoaded: boolean }) => {
  const { options, shippingCode, military, choosable, arrival } = delivery
  if (!isLoaded) return <p className={styles.soft}>Shipping options appear once we reach the studio.</p>
  if (options.length === 0) {
    return (
      <Notice tone="attention" title="Nothing ships to this address">
        Please ask the studio how to get your order.
      </Notice>
    )
  }
  return (
    <>
      {military && <p className={styles.soft}>APO, FPO and DPO addresses get priority mail only.</p>}
      <RadioGroup
        legend="Shipping"
        value={shippingCode}
        onValue={(code) => fields.change((before) => ({ ...before, shippingCode: code }))}
        options={options.map(({ code, name, priceCents }) => ({
          value: code,
          label: name,
          hint: choosable ? undefined : arrival,
          aside: <Price cents={priceCents} />,
        }))}
      />
    </>
  )
}

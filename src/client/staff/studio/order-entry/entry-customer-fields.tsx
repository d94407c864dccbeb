import type { Address } from '#contract/customer/checkout-calls.ts'
import type { EntryForm } from '#contract/studio/order-entry.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { usStates } from '#domain/shared/us-states.ts'
import { Field } from '#ui/form/field.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { EntryFormValues } from './entry-form-values.ts'
import styles from './order-entry.module.css'
import type { EntryErrors } from './use-entry-price.ts'

type EntryFieldsProps = {
  form: EntryForm
  values: EntryFormValues
  faults: EntryErrors
  onChange: (change: Partial<EntryFormValues>) => void
}

const studio = 'studio'
const states = [{ value: '', label: 'State' }, ...usStates.map(({ code }) => ({ value: code, label: code }))]

/** Fields of the ordering customer. */
export const EntryCustomerFields = ({ values, faults, onChange }: Omit<EntryFieldsProps, 'form'>) => {
  const { customer } = values
  const field = (name: keyof EntryFormValues['customer'], label: string, more: object = {}) => (
    <Field label={label} errors={faults[`customer.${name}`]} optional={name === 'email' || name === 'phone'}>
      <TextInput
        autoComplete="off"
        value={customer[name]}
        onValue={(value) => onChange({ customer: { ...customer, [name]: value } })}
        {...more}
      />
    </Field>
  )
  return (
    <fieldset className={styles.part}>
      <legend>Customer</legend>
      <div className={styles.pair}>
        {field('firstName', 'First name', { 'data-customer': true, autoCapitalize: 'words' })}
        {field('lastName', 'Last name', { autoCapitalize: 'words' })}
        {field('phone', 'Phone', { type: 'tel' })}
        {field('email', 'Email', { type: 'email', autoCapitalize: 'none', spellCheck: false })}
      </div>
    </fieldset>
  )
}

const AddressFields = ({ values, faults, onChange }: Omit<EntryFieldsProps, 'form'>) => {
  const { address } = values
  const set = (name: keyof Address) => (value: string) => onChange({ address: { ...address, [name]: value } })
  const text = (name: keyof Address, label: string, optional = false) => (
    <Field label={label} errors={faults[`address.${name}`]} optional={optional}>
      <TextInput autoComplete="off" value={address[name]} onValue={set(name)} />
    </Field>
  )
  return (
    <div className={styles.pair}>
      {text('address1', 'Street address')}
      {text('address2', 'Apartment, suite', true)}
      {text('city', 'City')}
      <div className={styles.pair}>
        <Field label="State" errors={faults['address.state']}>
          <Select options={states} value={address.state} onValue={set('state')} />
        </Field>
        {text('zip', 'ZIP')}
      </div>
    </div>
  )
}

/** Delivery: with the batch, or to the customer's home. */
export const EntryDeliveryFields = ({ form, values, faults, onChange }: EntryFieldsProps) => {
  const options = [
    ...(form.delivery.batch ? [{ value: studio, label: `${batchShippingLabel}, with the batch` }] : []),
    ...form.shippingOptions.map(({ code, name, priceCents }) => ({
      value: code,
      label: name,
      aside: formatMoney(priceCents),
    })),
  ]
  return (
    <fieldset className={styles.part}>
      <legend>Delivery</legend>
      <RadioGroup
        legend="Delivery"
        hideLegend
        options={options}
        value={values.shippingOption ?? studio}
        errors={faults.shippingOption}
        onValue={(value) => onChange({ shippingOption: value === studio ? null : value })}
      />
      {values.shippingOption !== null && <AddressFields values={values} faults={faults} onChange={onChange} />}
      {form.takesCodes && (
        <Field label="Promotion code" optional errors={faults.promoCode} className={styles.code}>
          <TextInput
            autoComplete="off"
            autoCapitalize="characters"
            value={values.promoCode}
            onValue={(promoCode) => onChange({ promoCode })}
          />
        </Field>
      )}
    </fieldset>
  )
}

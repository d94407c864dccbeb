import type { Address } from '#contract/shapes/order-structs.ts'
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

const studioOption = 'studio'
const stateOptions = [{ value: '', label: 'State' }, ...usStates.map(({ code }) => ({ value: code, label: code }))]

/** Fields of the ordering customer. */
export const EntryCustomerFields = ({ values, faults, onChange }: Omit<EntryFieldsProps, 'form'>) => {
  const { customer } = values
  const field = (name: keyof EntryFormValues['customer'], label: string, inputProps: object = {}) => (
    <Field label={label} errors={faults[`customer.${name}`]} optional={name === 'email' || name === 'phone'}>
      <TextInput
        autoComplete="off"
        value={customer[name]}
        onValue={(value) => onChange({ customer: { ...customer, [name]: value } })}
        {...inputProps}
      />
    </Field>
  )
  return (
    <fieldset className={styles.section}>
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
  const setField = (name: keyof Address) => (value: string) => onChange({ address: { ...address, [name]: value } })
  const addressField = (name: keyof Address, label: string, optional = false) => (
    <Field label={label} errors={faults[`address.${name}`]} optional={optional}>
      <TextInput autoComplete="off" value={address[name]} onValue={setField(name)} />
    </Field>
  )
  return (
    <div className={styles.pair}>
      {addressField('address1', 'Street address')}
      {addressField('address2', 'Apartment, suite', true)}
      {addressField('city', 'City')}
      <div className={styles.pair}>
        <Field label="State" errors={faults['address.state']}>
          <Select options={stateOptions} value={address.state} onValue={setField('state')} />
        </Field>
        {addressField('zip', 'ZIP')}
      </div>
    </div>
  )
}

/** Delivery of the order: to the studio with the batch, or to the customer's home. */
export const EntryDeliveryFields = ({ form, values, faults, onChange }: EntryFieldsProps) => {
  const options = [
    ...(form.delivery.batch ? [{ value: studioOption, label: `${batchShippingLabel}, with the batch` }] : []),
    ...form.shippingOptions.map(({ code, name, priceCents }) => ({
      value: code,
      label: name,
      aside: formatMoney(priceCents),
    })),
  ]
  return (
    <fieldset className={styles.section}>
      <legend>Delivery</legend>
      <RadioGroup
        legend="Delivery"
        hideLegend
        options={options}
        value={values.shippingOption ?? studioOption}
        errors={faults.shippingOption}
        onValue={(value) => onChange({ shippingOption: value === studioOption ? null : value })}
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

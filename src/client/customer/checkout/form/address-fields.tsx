import { lazy, Suspense, useState } from 'react'
import { usStates } from '#domain/shared/us-states.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from '../checkout.module.css'
import { CheckoutField, type CheckoutFormState, setCheckoutField } from './checkout-field.tsx'

const AddressSuggestion = lazy(async () => ({
  default: (await import('./address-suggestion.tsx')).AddressSuggestion,
}))

const FillPlace = lazy(async () => ({ default: (await import('./fill-place.tsx')).FillPlace }))

type AddressFieldsProps = { jobId: number; fields: CheckoutFormState; part: 'billingAddress' | 'shippingAddress' }

const states = usStates.map(({ code, name }) => ({ value: code, label: name }))

// A numeric keyboard has no dash, so nine digits get one automatically.
const tidyPostalCode = (text: string): string => text.replace(/^(\d{5})(\d{1,4})$/, '$1-$2').slice(0, 10)

/** An address; the shipping address has its own name field. The ZIP code comes before city and state, because it fills them in. */
export const AddressFields = ({ jobId, fields, part }: AddressFieldsProps) => {
  const scope = part === 'billingAddress' ? 'billing' : 'shipping'
  const statePath = `${part}.state`
  const hasZip = fields.form[part].zip.length >= 5
  const [hasHadZip, setHasHadZip] = useState(hasZip)
  if (hasZip && !hasHadZip) setHasHadZip(true)
  return (
    <>
      {scope === 'shipping' && (
        <CheckoutField
          fields={fields}
          part={part}
          name="name"
          label="Full name"
          autoComplete="shipping name"
          autoCapitalize="words"
        />
      )}
      <CheckoutField
        fields={fields}
        part={part}
        name="address1"
        label="Street address"
        autoComplete={`${scope} address-line1`}
        autoCapitalize="words"
      />
      <CheckoutField
        fields={fields}
        part={part}
        name="address2"
        label="Apartment, suite"
        optional
        autoComplete={`${scope} address-line2`}
      />
      <div className={styles.pair}>
        <CheckoutField
          fields={fields}
          part={part}
          name="zip"
          label="ZIP code"
          inputMode="numeric"
          autoComplete={`${scope} postal-code`}
          maxLength={10}
          tidy={tidyPostalCode}
        />
        <Field id={statePath} label="State" errors={fields.errors[statePath]} required>
          <Select
            name={statePath}
            options={states}
            placeholder="Choose"
            autoComplete={`${scope} address-level1`}
            value={fields.form[part].state}
            onValue={(state) => setCheckoutField(fields, part, 'state', state)}
          />
        </Field>
      </div>
      <CheckoutField
        fields={fields}
        part={part}
        name="city"
        label="City"
        hint="Or APO, FPO, DPO"
        autoComplete={`${scope} address-level2`}
        autoCapitalize="words"
      />
      {/* Stays once it is there: it knows which city and state it filled in. */}
      {hasHadZip && (
        <Suspense>
          <FillPlace jobId={jobId} fields={fields} part={part} />
          <AddressSuggestion jobId={jobId} fields={fields} part={part} />
        </Suspense>
      )}
    </>
  )
}

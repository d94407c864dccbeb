import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { QuantityStepper } from '#ui/form/quantity-stepper.tsx'
import { RadioGroup } from '#ui/form/radio-group.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Price } from '#ui/price.tsx'
import { KitRow, KitSection } from './kit-buttons.tsx'
import styles from './kit-page.module.css'

/** Text fields and a select: with hints and errors, optional, disabled, and in every size. */
export const Fields = () => (
  <KitSection title="Fields">
    <div className={styles.grid}>
      <Field label="Email" hint="The one you gave when ordering.">
        <TextInput type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <Field label="Order #" errors="This field is required" required>
        <TextInput />
      </Field>
      <Field label="Phone" errors={['This field is required', 'This value is not a valid phone number']}>
        <TextInput type="tel" defaultValue="55" />
      </Field>
      <Field label="Jersey number" hint="Letters and digits only." optional>
        <TextInput type="alphanumeric" defaultValue="Wolves 23" />
      </Field>
      <Field label="Password">
        <TextInput type="password" defaultValue="fieldproof" />
      </Field>
      <Field label="Grade">
        <Select
          placeholder="Choose a grade"
          options={['Kindergarten', 'First', 'Second', 'Third'].map((label) => ({ value: label, label }))}
        />
      </Field>
      <Field label="Disabled">
        <TextInput disabled defaultValue="Lincoln Elementary" />
      </Field>
      <Field label="Note to the studio" optional>
        <TextInput type="textarea" defaultValue="Please use the smiling pose." />
      </Field>
    </div>
    <div className={styles.grid}>
      {(['xs', 'sm', 'md', 'lg'] as const).map((size) => (
        <Field key={size} label={`Size ${size}`}>
          <TextInput size={size} defaultValue="Ada Lovelace" />
        </Field>
      ))}
    </div>
  </KitSection>
)

/** Checkboxes, radio buttons and quantity steppers. */
export const Choices = () => {
  const [shipping, setShipping] = useState<'studio' | 'home'>('studio')
  const [quantity, setQuantity] = useState(1)
  const step = async (by: number) => setQuantity(quantity + by)
  return (
    <KitSection title="Choices">
      <Checkbox label="Shipping address is the same as billing" defaultChecked />
      <Checkbox label="Tell me when it opens" hint="One email, nothing else." />
      <Checkbox label="I am allowed to order for this person" errors="This field is required" />
      <RadioGroup
        legend="Shipping"
        value={shipping}
        onValue={setShipping}
        options={[
          { value: 'studio', label: 'Studio Shipping', hint: 'Handed out in class', aside: 'Free' },
          { value: 'home', label: 'To your home', hint: '5 to 7 days', aside: <Price cents={795} /> },
        ]}
      />
      <KitRow>
        <QuantityStepper label="Portrait Package" value={quantity} onStep={step} onRemove={() => setQuantity(1)} />
        <QuantityStepper label="Wallets" value={3} onStep={step} onRemove={() => {}} disabled />
      </KitRow>
    </KitSection>
  )
}

/** A form with buttons that show and clear its errors and toggle its loading state. */
export const Forms = () => {
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string[]>([])
  return (
    <KitSection title="Form">
      <Form
        loading={loading}
        error={error}
        onSubmit={() => setError(['The card was declined.', 'Your cart is saved. Try another card.'])}
      >
        <Field label="Name on the card">
          <TextInput autoComplete="cc-name" />
        </Field>
        <KitRow>
          <Button type="submit" loading={loading}>
            Submit with two errors
          </Button>
          <Button variant="secondary" onClick={() => setError([])}>
            Clear errors
          </Button>
          <Button variant="quiet" onClick={() => setLoading(!loading)}>
            Toggle loading
          </Button>
        </KitRow>
      </Form>
    </KitSection>
  )
}

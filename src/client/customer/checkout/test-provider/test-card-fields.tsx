import type { ChangeEvent } from 'react'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput, type TextInputProps } from '#ui/form/text-input.tsx'
import styles from '../checkout.module.css'
import { type CardInput, formatCardNumber, formatCvc, formatExpiry } from './test-card.ts'

type CardFieldsProps = { card: CardInput; errors: FieldErrors; onCard: (card: CardInput) => void }

/** Card fields of the built-in test provider: the card is tokenized in this page, and its number is never sent. */
export const TestCardFields = ({ card, errors, onCard }: CardFieldsProps) => (
  <>
    <Grouped
      label="Card number"
      name="cardnumber"
      autoComplete="cc-number"
      value={card.number}
      group={formatCardNumber}
      errors={errors.number}
      onGrouped={(number) => onCard({ ...card, number })}
    />
    <div className={styles.pair}>
      <Grouped
        label="Expires (MM/YY)"
        name="cc-exp"
        autoComplete="cc-exp"
        value={card.expiry}
        group={formatExpiry}
        errors={errors.expiry}
        onGrouped={(expiry) => onCard({ ...card, expiry })}
      />
      <Grouped
        label="Security code"
        name="cvc"
        autoComplete="cc-csc"
        value={card.cvc}
        group={formatCvc}
        errors={errors.cvc}
        onGrouped={(cvc) => onCard({ ...card, cvc })}
      />
    </div>
  </>
)

type GroupedProps = Omit<TextInputProps, 'onChange' | 'onValue' | 'value'> & {
  label: string
  value: string
  errors: readonly string[] | undefined
  group: (text: string) => string
  onGrouped: (grouped: string) => void
}

// Regroups the digits and keeps the caret behind the same digit, so that a correction is not disturbed.
const regroup = (control: HTMLInputElement | HTMLTextAreaElement, group: (text: string) => string): void => {
  const grouped = group(control.value)
  if (grouped === control.value) return
  const caret = control.selectionStart ?? control.value.length
  const atEnd = caret === control.value.length
  const before = group(control.value.slice(0, caret)).length
  control.value = grouped
  const place = atEnd ? grouped.length : before
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(place, place)
}

const Grouped = ({ label, errors, group, onGrouped, ...input }: GroupedProps) => (
  <Field label={label} errors={errors} required>
    <TextInput
      {...input}
      inputMode="numeric"
      spellCheck={false}
      className="tabular"
      onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        regroup(event.currentTarget, group)
        onGrouped(event.currentTarget.value)
      }}
    />
  </Field>
)

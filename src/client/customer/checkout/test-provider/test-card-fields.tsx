import { type ChangeEvent, useEffect, useImperativeHandle, useRef } from 'react'
import { Field } from '#ui/form/field.tsx'
import { TextInput, type TextInputProps } from '#ui/form/text-input.tsx'
import type { CardFieldsProps } from '../card/card-provider.ts'
import styles from '../checkout.module.css'
import { formatCardNumber, formatCvc, formatExpiry, lastFourDigits, testCardOf, testTokenFor } from './test-card.ts'

/** Card fields of the built-in test provider: the card is tokenized in this page, and its number is never sent. */
export const TestCardFields = ({ input, onInput, errors, focus, onFocused, ref }: CardFieldsProps) => {
  const card = testCardOf(input)
  const numberInput = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!focus) return
    numberInput.current?.focus()
    onFocused()
  }, [focus, onFocused])
  useImperativeHandle(ref, () => ({
    tokenize: async () => {
      const token = testTokenFor(card.number)
      return token === null ? null : { token, ending: lastFourDigits(card.number) }
    },
  }))
  return (
    <>
      <DigitsField
        ref={numberInput}
        field="number"
        label="Card number"
        name="cardnumber"
        autoComplete="cc-number"
        value={card.number}
        group={formatCardNumber}
        errors={errors.number}
        onGrouped={(number) => onInput({ ...card, number })}
      />
      <div className={styles.pair}>
        <DigitsField
          field="expiry"
          label="Expires (MM/YY)"
          name="cc-exp"
          autoComplete="cc-exp"
          value={card.expiry}
          group={formatExpiry}
          errors={errors.expiry}
          onGrouped={(expiry) => onInput({ ...card, expiry })}
        />
        <DigitsField
          field="cvc"
          label="Security code"
          name="cvc"
          autoComplete="cc-csc"
          value={card.cvc}
          group={formatCvc}
          errors={errors.cvc}
          onGrouped={(cvc) => onInput({ ...card, cvc })}
        />
      </div>
    </>
  )
}

type DigitsFieldProps = Omit<TextInputProps, 'onChange' | 'onValue' | 'value'> & {
  /** The field in the card's errors. */
  field: string
  label: string
  value: string
  errors: readonly string[] | undefined
  group: (text: string) => string
  onGrouped: (grouped: string) => void
}

// Regroups the digits and keeps the caret after the same digit, so that the customer can correct one in the middle.
const regroup = (control: HTMLInputElement | HTMLTextAreaElement, group: (text: string) => string): void => {
  const grouped = group(control.value)
  if (grouped === control.value) return
  const caret = control.selectionStart ?? control.value.length
  const atEnd = caret === control.value.length
  const caretAfterRegrouping = group(control.value.slice(0, caret)).length
  control.value = grouped
  const position = atEnd ? grouped.length : caretAfterRegrouping
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(position, position)
}

const DigitsField = ({ field, label, errors, group, onGrouped, ...input }: DigitsFieldProps) => (
  <Field id={`card.${field}`} label={label} errors={errors} required>
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

import { useState } from 'react'
import { parseNumber } from '#domain/shared/validators.ts'
import { Field, type FieldProps } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

type NumberFieldProps = Pick<FieldProps, 'label' | 'hint' | 'errors' | 'required' | 'className'> & {
  /** Null for an empty field. */
  value: number | null
  onNumber: (value: number | null) => void
  onBlur?: () => void
  step?: number
  /** Number of decimals that are always shown, for example for money. */
  decimals?: number
}

const formatValue = (value: number | null, decimals: number | undefined): string =>
  value === null || Number.isNaN(value) ? '' : decimals === undefined ? String(value) : value.toFixed(decimals)

const parseValue = (text: string): number | null => (text.trim() === '' ? null : parseNumber(text.replace(',', '.')))

/** A number input. Keeps the typed text until it loses the focus; `onNumber` receives the parsed number, or NaN. */
export const NumberField = ({ value, onNumber, onBlur, step = 1, decimals, ...fieldProps }: NumberFieldProps) => {
  const [input, setInput] = useState<{ text: string; value: number | null } | null>(null)
  // False if the value was changed elsewhere, for example by a drag or an undo.
  const isCurrent = input !== null && (input.value === value || (Number.isNaN(input.value) && Number.isNaN(value)))
  return (
    <Field {...fieldProps}>
      <TextInput
        type="number"
        inputMode="decimal"
        step={step}
        value={isCurrent ? input.text : formatValue(value, decimals)}
        onValue={(text) => {
          const parsed = parseValue(text)
          setInput({ text, value: parsed })
          onNumber(parsed)
        }}
        onBlur={() => {
          setInput(null)
          onBlur?.()
        }}
      />
    </Field>
  )
}

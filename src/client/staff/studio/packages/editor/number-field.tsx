import { useState } from 'react'
import { parseNumber } from '#domain/shared/validators.ts'
import { Field, type FieldProps } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

type NumberFieldProps = Pick<FieldProps, 'label' | 'hint' | 'errors' | 'required' | 'className'> & {
  /** Null for an empty field. */
  value: number | null
  onNumber: (value: number | null) => void
  onLeave?: () => void
  step?: number
  /** Number of decimals that are always shown, for example for money. */
  decimals?: number
}

const shown = (value: number | null, decimals: number | undefined): string =>
  value === null || Number.isNaN(value) ? '' : decimals === undefined ? String(value) : value.toFixed(decimals)

const read = (text: string): number | null => (text.trim() === '' ? null : parseNumber(text.replace(',', '.')))

/** A number input. Incomplete input stays in the field; `onNumber` receives complete numbers. */
export const NumberField = ({ value, onNumber, onLeave, step = 1, decimals, ...around }: NumberFieldProps) => {
  const [typed, setTyped] = useState<{ text: string; value: number | null } | null>(null)
  // The value was changed elsewhere, by a drag or an undo.
  const isOwn = typed !== null && (typed.value === value || (Number.isNaN(typed.value) && Number.isNaN(value)))
  return (
    <Field {...around}>
      <TextInput
        type="number"
        inputMode="decimal"
        step={step}
        value={isOwn ? typed.text : shown(value, decimals)}
        onValue={(text) => {
          const next = read(text)
          setTyped({ text, value: next })
          onNumber(next)
        }}
        onBlur={() => {
          setTyped(null)
          onLeave?.()
        }}
      />
    </Field>
  )
}

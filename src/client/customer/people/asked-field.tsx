import type { CustomField } from '../../../domain/custom-fields.ts'
import { Field } from '../../ui/field.tsx'
import type { Messages } from '../../ui/message-list.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { controlName } from './typing.ts'

type AskedFieldProps = { field: CustomField; value: string; errors: Messages; onValue: (value: string) => void }

/** The longest answer the contract takes. */
const longestAnswer = 2000

// An answer that need not be given can be taken back; one the studio no longer takes stands there until another is chosen, for a
// list without it would show the first in its place.
const optionsOf = ({ options, required }: CustomField, given: string): SelectOption[] => {
  const isGone = given !== '' && options.every(({ value }) => value !== given)
  return [
    ...(required ? [] : [{ value: '', label: 'No answer' }]),
    ...options.map(({ value }) => ({ value, label: value })),
    ...(isGone ? [{ value: given, label: given, disabled: true }] : []),
  ]
}

/** One question of the studio's, as its type says. */
export const AskedField = ({ field, value, errors, onValue }: AskedFieldProps) => {
  const { name, label, inputType, required, hasOptions } = field
  return (
    <Field label={label} required={required} optional={!required} errors={errors}>
      {hasOptions ? (
        <Select
          name={controlName(name)}
          options={optionsOf(field, value)}
          {...(required && { placeholder: 'Choose' })}
          value={value}
          onValue={onValue}
        />
      ) : (
        <TextInput
          name={controlName(name)}
          type={inputType}
          value={value}
          maxLength={longestAnswer}
          autoComplete="off"
          onValue={onValue}
        />
      )}
    </Field>
  )
}

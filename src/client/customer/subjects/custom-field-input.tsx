import { isBrokenMask, isMasked, type MaskedText } from '#domain/catalogue/mask.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { Field } from '#ui/form/field.tsx'
import type { Messages } from '#ui/form/message-list.tsx'
import { Select, type SelectOption } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { answerControlName } from './subject-form-values.ts'

type CustomFieldInputProps = {
  field: CustomField
  value: MaskedText
  errors: Messages
  onValue: (value: string) => void
}

/** Maximum length of an answer in the contract. */
const maxAnswerLength = 2000

// An optional answer can be cleared. A value that is no longer an option stays listed until another is chosen:
// otherwise the list would show its first option instead.
const optionsOf = ({ options, required }: CustomField, answer: string): SelectOption[] => {
  const isNoOption = answer !== '' && options.every(({ value }) => value !== answer)
  return [
    ...(required ? [] : [{ value: '', label: 'No answer' }]),
    ...options.map(({ value }) => ({ value, label: value })),
    ...(isNoOption ? [{ value: answer, label: answer, disabled: true }] : []),
  ]
}

/** One custom field, by its type. A mask is replaced as a whole, so that it is not edited by accident. */
export const CustomFieldInput = ({ field, value, errors, onValue }: CustomFieldInputProps) => {
  const { name, label, inputType, required, hasOptions } = field
  const { shown } = value
  const isHidden = isMasked(value)
  return (
    <Field
      label={label}
      required={required}
      optional={!required}
      errors={errors}
      hint={isHidden ? 'Hidden here, saved in full' : undefined}
    >
      {hasOptions ? (
        <Select
          name={answerControlName(name)}
          options={optionsOf(field, shown)}
          {...(required && { placeholder: 'Choose' })}
          value={shown}
          onValue={onValue}
        />
      ) : (
        <TextInput
          name={answerControlName(name)}
          // Sanitizing a mask by its type would destroy it.
          type={isHidden || isBrokenMask(value) ? 'text' : inputType}
          value={shown}
          maxLength={maxAnswerLength}
          autoComplete="off"
          onFocus={(event) => isHidden && event.currentTarget.select()}
          onValue={onValue}
        />
      )}
    </Field>
  )
}

import type { FieldErrors } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './subject-picker.module.css'

type Names = { firstName: string; lastName: string }

type SubjectNamesProps = {
  names: Names
  errors: FieldErrors
  hints?: Names
  required?: boolean
  onName: (part: Partial<Names>) => void
}

const nameFields = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
] as const

/** Maximum length of a name in the contract. */
const maxNameLength = 60

/** A child's first and last name, with autofill disabled: the browser would fill in the parent's. */
export const SubjectNames = ({ names, errors, hints, required = false, onName }: SubjectNamesProps) => (
  <div className={styles.names}>
    {nameFields.map(({ name, label }) => (
      <Field key={name} label={label} hint={hints?.[name]} required={required} errors={errors[name]}>
        <TextInput
          name={name}
          autoComplete="off"
          autoCapitalize="words"
          maxLength={maxNameLength}
          value={names[name]}
          onValue={(value) => onName({ [name]: value })}
        />
      </Field>
    ))}
  </div>
)

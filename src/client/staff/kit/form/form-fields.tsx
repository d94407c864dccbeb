import type { ReactNode } from 'react'
import { type FieldError, get, useFormContext } from 'react-hook-form'
import { Checkbox, type CheckboxProps } from '#ui/form/checkbox.tsx'
import { Field, type FieldProps } from '#ui/form/field.tsx'
import { Select, type SelectProps } from '#ui/form/select.tsx'
import { TextInput, type TextInputProps } from '#ui/form/text-input.tsx'
import styles from './edit-form.module.css'

/** Two fields side by side where there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

type FieldName = { /** The field's path in the form's model, for example `address.city`. */ name: string }
type FieldLayout = Pick<FieldProps, 'label' | 'hint' | 'optional' | 'required' | 'hideLabel' | 'className'>

const useRegisteredField = (name: string) => {
  const { register, formState } = useFormContext()
  const error: FieldError | undefined = get(formState.errors, name)
  return { inputProps: register(name), errors: error?.message ? [error.message] : undefined }
}

/** An input of the surrounding form (text, number, date …) with label, help and errors. */
export const TextField = ({
  name,
  label,
  hint,
  optional,
  required,
  hideLabel,
  className,
  ...rest
}: FieldName & FieldLayout & TextInputProps) => {
  const { inputProps, errors } = useRegisteredField(name)
  return (
    <Field {...{ label, hint, errors, optional, required, hideLabel, className }}>
      <TextInput {...rest} {...inputProps} />
    </Field>
  )
}

/** A select of the surrounding form. */
export const SelectField = ({
  name,
  label,
  hint,
  optional,
  required,
  hideLabel,
  className,
  ...rest
}: FieldName & FieldLayout & SelectProps) => {
  const { inputProps, errors } = useRegisteredField(name)
  return (
    <Field {...{ label, hint, errors, optional, required, hideLabel, className }}>
      <Select {...rest} {...inputProps} />
    </Field>
  )
}

/** A checkbox of the surrounding form. */
export const CheckField = ({ name, ...rest }: FieldName & CheckboxProps) => {
  const { inputProps, errors } = useRegisteredField(name)
  return <Checkbox {...rest} {...inputProps} errors={errors} />
}

import type { FieldErrors } from '#domain/shared/validators.ts'
import { valueAt } from '#domain/shared/validators.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput, type TextInputProps } from '#ui/form/text-input.tsx'
import type { CheckoutFormValues } from './checkout-form-values.ts'

/** The part of the form state that the fields need. */
export type CheckoutFormState = {
  form: CheckoutFormValues
  errors: FieldErrors
  change: (next: (before: CheckoutFormValues) => CheckoutFormValues) => void
}

type FormSection = 'customer' | 'billingAddress' | 'shippingAddress'

export const setCheckoutField = (fields: CheckoutFormState, part: FormSection, name: string, value: string): void =>
  fields.change((before) => ({ ...before, [part]: { ...before[part], [name]: value } }))

type CheckoutFieldProps = Omit<TextInputProps, 'value' | 'onValue' | 'name'> & {
  fields: CheckoutFormState
  part: FormSection
  name: string
  label: string
  hint?: string
  optional?: boolean
  /** Normalises the text as it is typed. */
  tidy?: (text: string) => string
  fieldClass?: string | undefined
}

/** One text field of the form: label, value and errors. */
export const CheckoutField = (props: CheckoutFieldProps) => {
  const { fields, part, name, label, hint, optional = false, tidy, fieldClass, ...input } = props
  const path = `${part}.${name}`
  return (
    <Field
      id={path}
      label={label}
      hint={hint}
      errors={fields.errors[path]}
      required={!optional}
      optional={optional}
      className={fieldClass}
    >
      <TextInput
        {...input}
        name={path}
        value={String(valueAt(fields.form, path) ?? '')}
        onValue={(value) => setCheckoutField(fields, part, name, tidy ? tidy(value) : value)}
      />
    </Field>
  )
}

import { createContext, use } from 'react'

export type FieldControl = {
  controlId?: string | undefined
  describedBy?: string | undefined
  invalid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldControl>({ invalid: false, required: false })

type ControlProps = {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: unknown
  required?: boolean | undefined
}

/** The props of a control inside a Field: id, descriptions and state, unless it sets its own. */
export const useFieldControl = (controlProps: ControlProps) => {
  const field = use(FieldContext)
  const invalid = controlProps['aria-invalid'] === true || controlProps['aria-invalid'] === 'true' || field.invalid
  return {
    id: controlProps.id ?? field.controlId,
    'aria-describedby': controlProps['aria-describedby'] ?? field.describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': controlProps.required || field.required || undefined,
  }
}

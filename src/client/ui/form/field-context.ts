import { createContext, use } from 'react'

export type FieldControl = {
  controlId?: string | undefined
  describedBy?: string | undefined
  invalid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldControl>({ invalid: false, required: false })

type OwnProps = {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: unknown
  required?: boolean | undefined
}

/** The props of a control inside a Field: id, descriptions and state, unless it sets its own. */
export const useFieldControl = (own: OwnProps) => {
  const field = use(FieldContext)
  const invalid = own['aria-invalid'] === true || own['aria-invalid'] === 'true' || field.invalid
  return {
    id: own.id ?? field.controlId,
    'aria-describedby': own['aria-describedby'] ?? field.describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': own.required || field.required || undefined,
  }
}

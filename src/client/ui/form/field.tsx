import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'
import { FieldContext } from './field-context.ts'
import { joinMessages, type Messages } from './message-list.tsx'

export type FieldProps = {
  label: ReactNode
  /** One line of help under the label. */
  hint?: ReactNode
  /** The field's errors: several are joined with commas (section 5). */
  errors?: Messages
  required?: boolean
  /** Says "(optional)" behind the label. */
  optional?: boolean
  /** Keeps the label for screen readers only, where the place says it already. */
  hideLabel?: boolean
  /** The control's id; made up when left out. */
  id?: string
  className?: string
  /** One control of the kit (TextInput, Select); it takes its id and its descriptions from here. */
  children: ReactNode
}

/** A label, one control, its help and its errors, tied together for eyes and ears alike. */
export const Field = (props: FieldProps) => {
  const { label, hint, errors, required = false, optional, hideLabel, id, className, children } = props
  const ownId = useId()
  const controlId = id ?? ownId
  const message = joinMessages(errors)
  const hintId = hint ? `${controlId}-hint` : undefined
  const errorId = `${controlId}-error`
  const describedBy = classNames(hintId, message !== '' && errorId) || undefined
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={controlId} className={classNames(styles.label, hideLabel && styles.unseen)}>
        {label}
        {optional && <span className={styles.optional}> (optional)</span>}
      </label>
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
      <FieldContext value={{ controlId, describedBy, invalid: message !== '', required }}>{children}</FieldContext>
      <div id={errorId} className={styles.error} aria-live="polite">
        {message}
      </div>
    </div>
  )
}

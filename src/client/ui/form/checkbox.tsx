import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import styles from './choice.module.css'
import { joinMessages, type Messages } from './message-list.tsx'

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'children'> & {
  label: ReactNode
  hint?: ReactNode
  errors?: Messages
  onValue?: (checked: boolean) => void
}

/** A checkbox; the whole line is clickable. */
export const Checkbox = ({ label, hint, errors, onValue, onChange, className, id, ...inputProps }: CheckboxProps) => {
  const generatedId = useId()
  const controlId = id ?? generatedId
  const message = joinMessages(errors)
  const describedBy = classNames(hint ? `${controlId}-hint` : undefined, message !== '' && `${controlId}-error`)
  return (
    <div className={className}>
      <label className={styles.choice} htmlFor={controlId}>
        <input
          {...inputProps}
          id={controlId}
          type="checkbox"
          className={classNames(styles.control, styles.check)}
          aria-describedby={describedBy || undefined}
          aria-invalid={message !== '' || undefined}
          onChange={(event) => {
            onChange?.(event)
            onValue?.(event.currentTarget.checked)
          }}
        />
        <span className={styles.text}>
          <span>{label}</span>
          {hint && (
            <span id={`${controlId}-hint`} className={styles.hint}>
              {hint}
            </span>
          )}
        </span>
      </label>
      <div id={`${controlId}-error`} className={styles.error} aria-live="polite">
        {message}
      </div>
    </div>
  )
}

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
export const Checkbox = ({ label, hint, errors, onValue, onChange, className, id, ...rest }: CheckboxProps) => {
  const ownId = useId()
  const controlId = id ?? ownId
  const message = joinMessages(errors)
  const described = classNames(hint ? `${controlId}-hint` : undefined, message !== '' && `${controlId}-error`)
  return (
    <div className={className}>
      <label className={styles.choice} htmlFor={controlId}>
        <input
          {...rest}
          id={controlId}
          type="checkbox"
          className={classNames(styles.mark, styles.check)}
          aria-describedby={described || undefined}
          aria-invalid={message !== '' || undefined}
          onChange={(event) => {
            onChange?.(event)
            onValue?.(event.currentTarget.checked)
          }}
        />
        <span className={styles.words}>
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

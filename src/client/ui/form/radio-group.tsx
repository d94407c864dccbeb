import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import hiddenStyles from '../visually-hidden.module.css'
import styles from './choice.module.css'
import { joinMessages, type Messages } from './message-list.tsx'

export type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  /** Shown at the end of the line, usually a price. */
  aside?: ReactNode
  disabled?: boolean
}

export type RadioGroupProps<Value extends string> = {
  legend: ReactNode
  hideLegend?: boolean
  options: readonly RadioOption<Value>[]
  value: Value | undefined
  onValue: (value: Value) => void
  name?: string
  errors?: Messages
  className?: string
}

/** Radio buttons for a few options. Arrow keys work as in the browser. */
export const RadioGroup = <Value extends string>(props: RadioGroupProps<Value>) => {
  const { legend, hideLegend, options, value, onValue, name, errors, className } = props
  const generatedName = useId()
  const message = joinMessages(errors)
  const errorId = `${generatedName}-error`
  return (
    <fieldset className={className} aria-describedby={message === '' ? undefined : errorId}>
      <legend className={classNames(styles.legend, hideLegend && hiddenStyles.hidden)}>{legend}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.value} className={classNames(styles.choice, styles.row)}>
            <input
              type="radio"
              className={classNames(styles.control, styles.radio)}
              name={name ?? generatedName}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onValue(option.value)}
            />
            <span className={styles.text}>
              <span>{option.label}</span>
              {option.hint && <span className={styles.hint}>{option.hint}</span>}
            </span>
            {option.aside && <span className={styles.aside}>{option.aside}</span>}
          </label>
        ))}
      </div>
      <div id={errorId} className={styles.error} aria-live="polite">
        {message}
      </div>
    </fieldset>
  )
}

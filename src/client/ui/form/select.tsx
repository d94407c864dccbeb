import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import type { ControlSize } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import styles from './field.module.css'
import { useFieldControl } from './field-context.ts'

export type SelectOption = { value: string; label: string; disabled?: boolean }

export type SelectProps = Omit<ComponentProps<'select'>, 'size' | 'children'> & {
  options: readonly SelectOption[]
  size?: ControlSize
  /** Shown while nothing is selected; cannot be selected. */
  placeholder?: string
  onValue?: (value: string) => void
}

/** The native select, styled like the other controls. */
export const Select = ({
  options,
  size = 'md',
  placeholder,
  onValue,
  onChange,
  className,
  ...selectProps
}: SelectProps) => {
  const fieldProps = useFieldControl(selectProps)
  const startsEmpty =
    placeholder !== undefined && selectProps.value === undefined && selectProps.defaultValue === undefined
  return (
    <div className={styles.select}>
      <select
        {...selectProps}
        {...fieldProps}
        {...(startsEmpty ? { defaultValue: '' } : {})}
        className={classNames(styles.control, styles[size], className)}
        onChange={(event) => {
          onChange?.(event)
          onValue?.(event.currentTarget.value)
        }}
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} />
    </div>
  )
}

import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from '#ui/class-names.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Icon } from '#ui/icon.tsx'
import styles from './search-combobox.module.css'

export type SearchOption = { id: string; name: string; detail: string }

type SearchComboboxProps<Option> = {
  label: string
  hideLabel?: boolean
  /** Whether it lists what can be chosen before anything is typed. */
  hasArrow?: boolean
  placeholder?: string | undefined
  text: string
  onText: (text: string) => void
  /** What matches the text; without options the list is closed. */
  options: readonly Option[]
  onChoose: (option: Option) => void
  /** Escape was pressed. */
  onClose: () => void
  onFocus?: () => void
  onBlur?: () => void
  className?: string | undefined
  listClassName?: string | undefined
  /** Instead of the list, when nothing matches. */
  emptyText?: string | undefined
}

type OptionListProps<Option> = {
  listId: string
  label: string
  options: readonly Option[]
  highlightedIndex: number
  className: string | undefined
  onHighlight: (index: number) => void
  onChoose: (option: Option) => void
}

const OptionList = <Option extends SearchOption>(props: OptionListProps<Option>) => {
  const { listId, label, options, highlightedIndex, className, onHighlight, onChoose } = props
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      className={classNames(styles.options, className)}
      hidden={options.length === 0}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
        <div
          key={option.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === highlightedIndex}
          className={classNames(styles.option, index === highlightedIndex && styles.highlighted)}
          onPointerDown={(event) => event.preventDefault()}
          onPointerEnter={() => onHighlight(index)}
          onClick={() => onChoose(option)}
        >
          <strong>{option.name}</strong>
          {option.detail !== '' && <span>{option.detail}</span>}
        </div>
      ))}
    </div>
  )
}

/** A field that searches while the user types. Arrow keys move, Enter or a tap chooses, Escape closes. */
export const SearchCombobox = <Option extends SearchOption>(props: SearchComboboxProps<Option>) => {
  const {
    label,
    hideLabel = false,
    hasArrow = false,
    placeholder,
    text,
    onText,
    options,
    onChoose,
    onClose,
    onFocus,
    onBlur,
    emptyText,
  } = props
  const listId = useId()
  const [highlightedIndex, setHighlightedIndex] = useState(0)
  const highlighted = options[highlightedIndex]
  const choose = (option: Option | undefined) => {
    if (!option) return
    setHighlightedIndex(0)
    onChoose(option)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setHighlightedIndex((highlightedIndex + step + options.length) % Math.max(1, options.length))
    else if (event.key === 'Enter') choose(highlighted)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <div className={classNames(styles.search, props.className)}>
      <Field label={label} hideLabel={hideLabel} className={styles.field}>
        <TextInput
          type="search"
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={highlighted && `${listId}-${highlightedIndex}`}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onValue={(typedText) => {
            onText(typedText)
            setHighlightedIndex(0)
          }}
          onKeyDown={handleKey}
          {...(onFocus && { onFocus })}
          {...(onBlur && { onBlur })}
        />
        {hasArrow && (
          <span className={styles.arrow}>
            <Icon of={ChevronDown} />
          </span>
        )}
      </Field>
      <OptionList
        {...{ listId, label, options, highlightedIndex }}
        className={props.listClassName}
        onHighlight={setHighlightedIndex}
        onChoose={choose}
      />
      {emptyText !== undefined && <p className={styles.hint}>{emptyText}</p>}
    </div>
  )
}

import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from '#ui/class-names.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './search-combobox.module.css'

export type SearchOption = { id: string; name: string; detail: string }

type SearchComboboxProps<Option> = {
  label: string
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

/** A field that searches while the user types. Arrow keys move, Enter or a tap chooses, Escape closes. */
export const SearchCombobox = <Option extends SearchOption>(props: SearchComboboxProps<Option>) => {
  const { label, placeholder, text, onText, options, onChoose, onClose, onFocus, onBlur, emptyText } = props
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
      <Field label={label}>
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
      </Field>
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        className={classNames(styles.options, props.listClassName)}
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
            onPointerEnter={() => setHighlightedIndex(index)}
            onClick={() => choose(option)}
          >
            <strong>{option.name}</strong>
            {option.detail !== '' && <span>{option.detail}</span>}
          </div>
        ))}
      </div>
      {emptyText !== undefined && <p className={styles.hint}>{emptyText}</p>}
    </div>
  )
}

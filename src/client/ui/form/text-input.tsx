import {
  type ChangeEvent,
  type ComponentProps,
  type CompositionEvent,
  type FocusEvent,
  type Ref,
  useLayoutEffect,
  useRef,
} from 'react'
import { classNames } from '../class-names.ts'
import type { ControlSize } from './control-size.ts'
import styles from './field.module.css'
import { useFieldControl } from './field-context.ts'
import { isSanitizedType, sanitizeControl, type TextControl } from './sanitize-control.ts'

export type TextInputType =
  | 'text'
  | 'textarea'
  | 'alphanumeric'
  | 'email'
  | 'tel'
  | 'number'
  | 'password'
  | 'search'
  | 'date'
  | 'datetime-local'

/** The default size of an input (section 9). */
export const defaultInputSize: ControlSize = 'md'

type HandledProps = 'type' | 'size' | 'ref' | 'onChange' | 'onBlur' | 'onCompositionEnd'

export type TextInputProps = Omit<ComponentProps<'input'>, HandledProps> & {
  type?: TextInputType
  size?: ControlSize
  /** Initial lines of a textarea. */
  rows?: number
  /** Called with the sanitized text on each change. */
  onValue?: (value: string) => void
  onChange?: (event: ChangeEvent<TextControl>) => void
  onBlur?: (event: FocusEvent<TextControl>) => void
  ref?: Ref<TextControl>
}

/**
 * One or several lines of text. The types text, textarea and alphanumeric are sanitized while typing and on blur
 * (section 5); the others are native. Works controlled (`value`, `onValue`), uncontrolled, or registered with a form
 * library: listeners always read sanitized text.
 */
export const TextInput = (props: TextInputProps) => {
  const { type = 'text', size = defaultInputSize, rows, onValue, onChange, onBlur, className, ref, ...rest } = props
  const clean = (control: TextControl) => isSanitizedType(type) && sanitizeControl(type, control)
  const control = useRef<TextControl>(null)
  // A prerendered page is usable before its script runs: report what was typed into the control so far.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only input from before the first render was missed
  useLayoutEffect(() => {
    const typed = control.current
    if (!typed || rest.value === undefined || typed.value === rest.value) return
    clean(typed)
    onValue?.(typed.value)
  }, [])
  const setRef = (element: TextControl | null) => {
    control.current = element
    if (typeof ref === 'function') return ref(element)
    if (ref) ref.current = element
  }
  const handlers = {
    onChange: (event: ChangeEvent<TextControl>) => {
      // A character that is still being composed (accents, CJK) is sanitized once it is complete.
      const composing = 'isComposing' in event.nativeEvent && event.nativeEvent.isComposing === true
      if (!composing) clean(event.currentTarget)
      onChange?.(event)
      onValue?.(event.currentTarget.value)
    },
    onCompositionEnd: (event: CompositionEvent<TextControl>) => {
      if (clean(event.currentTarget)) onValue?.(event.currentTarget.value)
    },
    onBlur: (event: FocusEvent<TextControl>) => {
      if (clean(event.currentTarget)) onValue?.(event.currentTarget.value)
      onBlur?.(event)
    },
  }
  const face = {
    ...useFieldControl(rest),
    ...handlers,
    className: classNames(styles.control, styles[size], type === 'number' && 'tabular', className),
  }
  if (type === 'textarea') {
    // The two elements share every attribute a screen passes here; React types them separately.
    return <textarea {...(rest as ComponentProps<'textarea'>)} {...face} ref={setRef} rows={rows ?? 3} />
  }
  const native = type === 'alphanumeric' ? 'text' : type
  return <input {...rest} {...face} ref={setRef} type={native} />
}

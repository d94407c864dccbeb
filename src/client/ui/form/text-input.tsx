import {
  type ChangeEvent,
  type ComponentProps,
  type CompositionEvent,
  type FocusEvent,
  type Ref,
  useLayoutEffect,
  useRef,
} from 'react'
import { type InputType, inputTypes, sanitizeInput } from '#domain/shared/validators.ts'
import type { ControlSize } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'
import { useFieldControl } from './field-context.ts'

type TextControl = HTMLInputElement | HTMLTextAreaElement

/** Whether text of this type is sanitized while typing (section 5); native types are not. */
const isSanitizedType = (type: string): type is InputType => inputTypes.some((inputType) => inputType === type)

/** Sanitizes a control's value in place and returns whether it changed. The caret stays behind the same character. */
const sanitizeControl = (type: InputType, control: TextControl): boolean => {
  const sanitized = sanitizeInput(type, control.value)
  if (sanitized === control.value) return false
  const caret = control.selectionStart ?? control.value.length
  const newCaret = sanitizeInput(type, control.value.slice(0, caret)).length
  control.value = sanitized
  if (control.ownerDocument.activeElement === control) control.setSelectionRange(newCaret, newCaret)
  return true
}

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
  const {
    type = 'text',
    size = defaultInputSize,
    rows,
    onValue,
    onChange,
    onBlur,
    className,
    ref,
    ...inputProps
  } = props
  const sanitize = (control: TextControl) => isSanitizedType(type) && sanitizeControl(type, control)
  const control = useRef<TextControl>(null)
  // A prerendered page is usable before its script runs: report the text that was typed before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only input from before the first render was missed
  useLayoutEffect(() => {
    const element = control.current
    if (!element || inputProps.value === undefined || element.value === inputProps.value) return
    sanitize(element)
    onValue?.(element.value)
  }, [])
  const setRef = (element: TextControl | null) => {
    control.current = element
    if (typeof ref === 'function') return ref(element)
    if (ref) ref.current = element
  }
  const handlers = {
    onChange: (event: ChangeEvent<TextControl>) => {
      // A character that is still being composed (accents, CJK) is sanitized once it is complete.
      const isComposing = 'isComposing' in event.nativeEvent && event.nativeEvent.isComposing === true
      if (!isComposing) sanitize(event.currentTarget)
      onChange?.(event)
      onValue?.(event.currentTarget.value)
    },
    onCompositionEnd: (event: CompositionEvent<TextControl>) => {
      if (sanitize(event.currentTarget)) onValue?.(event.currentTarget.value)
    },
    onBlur: (event: FocusEvent<TextControl>) => {
      if (sanitize(event.currentTarget)) onValue?.(event.currentTarget.value)
      onBlur?.(event)
    },
  }
  const sharedProps = {
    ...useFieldControl(inputProps),
    ...handlers,
    className: classNames(styles.control, styles[size], type === 'number' && 'tabular', className),
  }
  if (type === 'textarea') {
    // The two elements share every attribute a screen passes here; React types them separately.
    return <textarea {...(inputProps as ComponentProps<'textarea'>)} {...sharedProps} ref={setRef} rows={rows ?? 3} />
  }
  const nativeType = type === 'alphanumeric' ? 'text' : type
  return <input {...inputProps} {...sharedProps} ref={setRef} type={nativeType} />
}

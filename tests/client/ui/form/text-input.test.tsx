import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { fire, getElement, render, type } from '#support/rendering/render.tsx'
import { controlSizes } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { defaultInputSize, TextInput, type TextInputType } from '#ui/form/text-input.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement
const control = () => getElement<Control>('input, textarea')

const Controlled = ({ kind, onValue }: { kind: TextInputType; onValue?: (value: string) => void }) => {
  const [value, setValue] = useState('')
  return (
    <TextInput
      type={kind}
      value={value}
      onValue={(next) => {
        onValue?.(next)
        setValue(next)
      }}
    />
  )
}

test('input sizes and their default are as specified', () => {
  expect(controlSizes).toEqual(['xs', 'sm', 'md', 'lg'])
  expect(defaultInputSize).toBe('md')
})

describe('sanitizing', () => {
  const cases: [TextInputType, string, string][] = [
    ['alphanumeric', 'Ada-L. 12!', 'AdaL 12'],
    ['text', 'a~b-c', 'ab-c'],
    ['textarea', 'one~\ntwo', 'one\ntwo'],
    ['password', 'pa~ss', 'pa~ss'],
    ['email', 'a~b@example.com', 'a~b@example.com'],
  ]
  test.each(cases)('happens in a %s field while typing: %j becomes %j', (kind, text, sanitized) => {
    const onValue = vi.fn()
    render(<Controlled kind={kind} onValue={onValue} />)
    type(control(), text)
    expect(control().value).toBe(sanitized)
    expect(onValue).toHaveBeenLastCalledWith(sanitized)
  })

  test('happens on blur for text that was not typed', () => {
    const onValue = vi.fn()
    render(<TextInput defaultValue="" onValue={onValue} />)
    control().focus()
    control().value = 'pasted~by a program'
    fire(control(), new FocusEvent('focusout', { bubbles: true }))
    expect(control().value).toBe('pastedby a program')
    expect(onValue).toHaveBeenCalledExactlyOnceWith('pastedby a program')
  })

  test.each([
    ['a~bcd', 2, 1],
    ['~~abc', 4, 2],
    ['abc~', 4, 3],
    ['ab~c', 1, 1],
  ])('keeps the caret behind the same character: %j at %i', (text, caret, expectedCaret) => {
    render(<Controlled kind="text" />)
    control().focus()
    type(control(), text, caret)
    expect(control().selectionStart).toBe(expectedCaret)
  })

  test('waits until a character is fully composed', () => {
    render(<TextInput type="alphanumeric" />)
    control().value = 'e´'
    fire(control(), new InputEvent('input', { bubbles: true, isComposing: true }))
    expect(control().value).toBe('e´')
    fire(control(), new CompositionEvent('compositionend', { bubbles: true }))
    expect(control().value).toBe('e')
  })
})

describe('a field', () => {
  test('links label, hint and errors to its control', () => {
    render(
      <Field label="Email" hint="The one you gave" errors={['One', 'Two']} required>
        <TextInput type="email" />
      </Field>,
    )
    const input = control()
    expect(getElement<HTMLLabelElement>('label').htmlFor).toBe(input.id)
    const descriptionIds = input.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(descriptionIds.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'The one you gave',
      'One, Two',
    ])
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-required')).toBe('true')
  })

  test('without errors is valid and announces nothing', () => {
    render(
      <Field label="Email" errors={[]}>
        <TextInput />
      </Field>,
    )
    expect(control().hasAttribute('aria-invalid')).toBe(false)
    expect(control().hasAttribute('aria-describedby')).toBe(false)
  })
})

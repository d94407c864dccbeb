import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { Form } from '#ui/form/form.tsx'

const alert = () => getElement('[role="alert"]')

const createForm = (props: { error?: string | string[]; loading?: boolean; onSubmit?: () => void } = {}) => (
  <Form {...props}>
    <button type="submit">Search</button>
    <button type="reset">Reset</button>
  </Form>
)

test('the error alert requires both an error and a submission', () => {
  const { rerender } = render(createForm({ error: 'Could not find this order' }))
  expect(alert().textContent).toBe('')
  rerender(createForm())
  click(getButton('Search'))
  expect(alert().textContent).toBe('')
  rerender(createForm({ error: 'Could not find this order' }))
  expect(alert().textContent).toBe('Could not find this order')
})

test('several messages are listed one per line, and disappear when the list becomes empty', () => {
  const { rerender } = render(createForm({ error: ['One', 'Two'] }))
  click(getButton('Search'))
  expect([...alert().querySelectorAll('li')].map((item) => item.textContent)).toEqual(['One', 'Two'])
  rerender(createForm({ error: [] }))
  expect(alert().childElementCount).toBe(0)
})

test('a reset form counts as not submitted', () => {
  render(createForm({ error: 'Please fix the fields marked below' }))
  click(getButton('Search'))
  click(getButton('Reset'))
  expect(alert().textContent).toBe('')
})

test('a loading form shows that it loads and cannot be submitted', () => {
  const onSubmit = vi.fn()
  const { rerender } = render(createForm({ onSubmit, loading: true }))
  expect(getElement('form [role="status"]').textContent).toBe('Loading')
  click(getButton('Search'))
  expect(onSubmit).not.toHaveBeenCalled()
  rerender(createForm({ onSubmit }))
  expect(countElements('form [role="status"]')).toBe(0)
  click(getButton('Search'))
  expect(onSubmit).toHaveBeenCalledOnce()
})

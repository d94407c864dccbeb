import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'
import { Form } from '#ui/form/form.tsx'

const alert = () => getElement('[role="alert"]')

const draw = (more: { error?: string | string[]; loading?: boolean; onSubmit?: () => void } = {}) => (
  <Form {...more}>
    <button type="submit">Search</button>
    <button type="reset">Reset</button>
  </Form>
)

test('the error alert requires both an error and a submission', () => {
  const { again } = render(draw({ error: 'Could not find this order' }))
  expect(alert().textContent).toBe('')
  again(draw())
  click(getButton('Search'))
  expect(alert().textContent).toBe('')
  again(draw({ error: 'Could not find this order' }))
  expect(alert().textContent).toBe('Could not find this order')
})

test('several messages are listed one per line and disappear when there are none', () => {
  const { again } = render(draw({ error: ['One', 'Two'] }))
  click(getButton('Search'))
  expect([...alert().querySelectorAll('li')].map((line) => line.textContent)).toEqual(['One', 'Two'])
  again(draw({ error: [] }))
  expect(alert().childElementCount).toBe(0)
})

test('a reset form counts as not submitted', () => {
  render(draw({ error: 'Please fix the fields marked below' }))
  click(getButton('Search'))
  click(getButton('Reset'))
  expect(alert().textContent).toBe('')
})

test('a loading form shows it and is not submitted again', () => {
  const onSubmit = vi.fn()
  const { again } = render(draw({ onSubmit, loading: true }))
  expect(getElement('form [role="status"]').textContent).toBe('Loading')
  click(getButton('Search'))
  expect(onSubmit).not.toHaveBeenCalled()
  again(draw({ onSubmit }))
  expect(countElements('form [role="status"]')).toBe(0)
  click(getButton('Search'))
  expect(onSubmit).toHaveBeenCalledOnce()
})

import { expect, test } from 'vitest'
import { HomeScreen } from '#client/home/home-screen.tsx'
import { getElement, render } from '#support/rendering/render.tsx'

const sectionCalled = (id: string) => getElement(`section[aria-labelledby="${id}"]`)

test('the home page has a welcome, and sections for studios and customers (section 1)', () => {
  render(<HomeScreen />)
  expect(getElement('h1').textContent).toBe('Welcome to Fieldproof')
  expect(getElement('h1 + p').textContent).toBe('Event Online Ordering Platform')

  const studio = sectionCalled('studio')
  expect(getElement('#studio').textContent).toBe('Studio')
  expect(studio.querySelector('h2')?.textContent).toBe('Have an account?')
  const login = studio.querySelector('a')
  expect([login?.textContent, login?.getAttribute('href')]).toEqual(['Studio Login', '/login'])

  const customer = sectionCalled('customer')
  expect(getElement('#customer').textContent).toBe('Customer')
  expect(customer.querySelector('h2')?.textContent).toBe('Looking for order details?')
  expect([...customer.querySelectorAll('label')].map((label) => label.textContent)).toEqual(['Email', 'Order #'])
  expect(customer.querySelector('button[type="submit"]')?.textContent).toBe('Search')
})

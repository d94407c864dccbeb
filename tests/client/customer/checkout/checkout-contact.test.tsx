import { expect, test } from 'vitest'
import { CheckoutContact } from '#client/customer/checkout/checkout-contact.tsx'
import { countElements, getElement, render } from '#support/rendering/render.tsx'

test('the phone number and e-mail address of the job’s contact are links', () => {
  const contact = { name: 'Grace Hopper', title: 'Principal', phone: '(937) 555-0100', email: 'grace@lincoln.test' }
  const { box } = render(<CheckoutContact contact={contact} />)
  expect(box.textContent).toContain('Questions about this event? Ask Grace Hopper, Principal:')
  expect(getElement('a[href="tel:9375550100"]').textContent).toBe('(937) 555-0100')
  expect(getElement('a[href="mailto:grace@lincoln.test"]').textContent).toBe('grace@lincoln.test')
})

test('a contact without a name is reachable too', () => {
  const { box } = render(<CheckoutContact contact={{ name: '', title: '', phone: '937-555-0100', email: null }} />)
  expect(box.textContent).toContain('Questions about this event? Ask here:')
  expect(countElements('a')).toBe(1)
})

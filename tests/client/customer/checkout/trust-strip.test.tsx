import { expect, test } from 'vitest'
import { TrustStrip } from '#client/customer/checkout/trust-strip.tsx'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { countElements, getElement, render } from '#support/rendering/render.tsx'
import { cart, jobContext } from './checkout-examples.ts'

const [line] = cart.cart.cartPackages
const withProducts = (...productCodes: string[]) => ({
  ...cart.cart,
  cartPackages: productCodes.map((productCode) => ({
    ...(line as NonNullable<typeof line>),
    cartPackageItems: (line?.cartPackageItems ?? []).map((item) => ({ ...item, productCode })),
  })),
})

test.each([
  ['prints', ['8x10'], 'Free changes until it goes to print · full refund before'],
  [
    'prints and files',
    ['8x10', 'SingleDigDown'],
    'Free changes until it goes to print · full refund before, unless you download a file',
  ],
])('an order of %s promises the changes and the refund that it allows', (_, products, promise) => {
  const { box } = render(<TrustStrip job={jobContext} cart={withProducts(...products)} takesCard />)
  expect([...box.querySelectorAll('p')].map(({ textContent }) => textContent)).toContain(promise)
})

test('an order of files only, which is never printed, promises nothing about printing', () => {
  const { box } = render(<TrustStrip job={jobContext} cart={withProducts('SingleDigDown')} takesCard />)
  expect(box.textContent).not.toMatch(/print|refund/)
})

test('without a payment there are no card marks', () => {
  const { box } = render(<TrustStrip job={jobContext} cart={cart.cart} takesCard={false} />)
  expect(box.textContent).not.toContain('Paid securely')
  expect(countElements('[aria-label="Cards"]')).toBe(0)
})

test('a studio that accepts no cards shows no card marks', () => {
  const job = { ...jobContext, job: { ...jobContext.job, acceptsCards: false } }
  render(<TrustStrip job={job} cart={cart.cart} takesCard />)
  expect(countElements('[aria-label="Cards"]')).toBe(0)
})

test('the phone number of the job’s contact is a link', () => {
  const checkoutContact = { name: 'Grace Hopper', title: '', phone: '(937) 555-0100', email: null }
  const job: JobContextValue = { ...jobContext, job: { ...jobContext.job, checkoutContact } }
  render(<TrustStrip job={job} cart={cart.cart} takesCard />)
  expect(getElement('a[href="tel:9375550100"]').textContent).toBe('(937) 555-0100')
})

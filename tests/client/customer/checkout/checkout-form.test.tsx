import { act, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearCard, requestAnotherCard } from '#client/customer/checkout/card/chosen-card.ts'
import { calculatingTotals } from '#client/customer/checkout/checkout-blocker.ts'
import { CheckoutForm } from '#client/customer/checkout/checkout-form.tsx'
import { checkoutDelivery } from '#client/customer/checkout/form/checkout-delivery.ts'
import { type CheckoutFormValues, emptyCheckoutForm } from '#client/customer/checkout/form/checkout-form-values.ts'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { click, countElements, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { cart, checkout, checkoutStateWith, filledForm, jobContext, totals } from './checkout-examples.ts'

const flush = vi.fn(async () => {})

type StateOverrides = Partial<ReturnType<typeof checkoutStateWith>>

const FormUnderTest = ({ start, overrides }: { start: CheckoutFormValues; overrides: StateOverrides }) => {
  const [form, setForm] = useState(start)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const draft = { form, change: (next: (before: CheckoutFormValues) => CheckoutFormValues) => setForm(next), flush }
  return (
    <BottomBarSlot value={slot}>
      <CheckoutForm
        job={jobContext}
        form={form}
        checkoutState={checkoutStateWith(form, { draft, delivery: checkoutDelivery(form, checkout), ...overrides })}
      />
      <div ref={setSlot} />
    </BottomBarSlot>
  )
}

const renderForm = (start: CheckoutFormValues, overrides: StateOverrides = {}) =>
  render(<FormUnderTest start={start} overrides={overrides} />)
const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)
const errorOf = (name: string): string => {
  const described = field(name).getAttribute('aria-describedby') ?? ''
  return document.getElementById(described.split(' ').at(-1) ?? '')?.textContent ?? ''
}
const tapReview = async () => {
  await act(async () => getButton('Review order').click())
}
const typeCard = (number = '4242424242424242') => {
  type(field('cardnumber'), number)
  type(field('cc-exp'), '0440')
  type(field('cvc'), '123')
}

beforeEach(() => {
  // Address validation is unavailable, which must not block anything.
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  clearCard(jobContext)
  history.replaceState(null, '', '/riverside/1/checkout')
  flush.mockClear()
})

test('an empty form names and links each missing field in a summary, which gets the focus', async () => {
  renderForm(emptyCheckoutForm)
  expect(getElement('[role="alert"]').textContent).toBe('')
  await tapReview()
  expect(getElement('[role="alert"]').textContent).toContain('Please fix the fields marked below')
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[role="alert"] a')]
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Full name is missing',
    'Email is missing',
    'Phone is missing',
    'Street address is missing',
    'ZIP code is missing',
    'State is missing',
    'City is missing',
    'Card number is missing',
    'Expiration date is missing',
    'Security code is missing',
  ])
  for (const name of ['customer.name', 'customer.email', 'customer.phone', 'billingAddress.state', 'cardnumber']) {
    expect([name, errorOf(name)]).toEqual([name, 'This field is required'])
  }
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Fields to fix')
  const targets = links.map((link) => {
    act(() => link.click())
    return (document.activeElement as HTMLInputElement).name
  })
  expect(targets).toEqual([
    ...['customer.name', 'customer.email', 'customer.phone'],
    ...['billingAddress.address1', 'billingAddress.zip', 'billingAddress.state', 'billingAddress.city'],
    ...['cardnumber', 'cc-exp', 'cvc'],
  ])
  expect(location.hash).toBe('')
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('a wallet fills in contact, address and card with one tap, and the review follows', async () => {
  renderForm(emptyCheckoutForm)
  click(await waitForPage(() => getButton('Pay with test wallet')))
  await waitForPage(() => expect(location.pathname).toBe('/riverside/1/checkout/review'))
  expect(field('customer.email').value).toBe('tess.walleton@example.com')
  expect(field('billingAddress.zip').value).toBe('45402')
  expect(document.body.textContent).toContain('Card ending 4242')
})

test('after a wallet the form shows what else is missing', async () => {
  renderForm({ ...emptyCheckoutForm, sameAsBilling: false })
  click(await waitForPage(() => getButton('Pay with test wallet')))
  await waitForPage(() =>
    expect(getElement('[role="alert"]').textContent).toContain('Please fix the fields marked below'),
  )
  expect(location.pathname).toBe('/riverside/1/checkout')
  expect(field('billingAddress.address1').value).toBe('1 Test Street')
})

test.each([
  ['customer.name', 'Annabella', 'Enter a first and a last name'],
  ['customer.email', 'annabella@', 'This value is not a valid email address'],
  ['customer.phone', '12', 'This value is not a valid phone number'],
  ['billingAddress.zip', '685', 'This value is not a valid ZIP code'],
])('%s shows the exact error and clears it once corrected', async (name, text, message) => {
  renderForm(filledForm)
  const validValue = field(name).value
  type(field(name), text)
  typeCard()
  await tapReview()
  expect(errorOf(name)).toBe(message)
  expect(document.activeElement).toBe(field(name))
  type(field(name), validValue)
  expect(errorOf(name)).toBe('')
  expect(getElement('[role="alert"]').textContent).toBe('')
})

test('a valid form stores its input and continues to the review; only the last digits of the card stay visible', async () => {
  renderForm(filledForm)
  typeCard()
  expect(field('cardnumber').value).toBe('4242 4242 4242 4242')
  await tapReview()
  expect(flush).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/riverside/1/checkout/review')
  expect(countElements('[name="cardnumber"]')).toBe(0)
  expect(document.body.textContent).toContain('Card ending 4242')
})

test('an unknown card shows one error and blocks the form', async () => {
  renderForm(filledForm)
  typeCard('4111 1111 1111 1111')
  await tapReview()
  expect(errorOf('cardnumber')).toBe('Only test cards work here, such as 4242 4242 4242 4242')
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('the card fields take the focus when another card is requested', () => {
  renderForm(filledForm)
  expect(document.activeElement).not.toBe(field('cardnumber'))
  act(() => requestAnotherCard(jobContext))
  expect(document.activeElement).toBe(field('cardnumber'))
})

test('a free order needs no card', async () => {
  const { pricing } = checkoutStateWith(filledForm)
  const freeTotals = {
    packagesCents: 0,
    servicesCents: 0,
    discountCents: 0,
    lateFeeCents: 0,
    shippingCents: 0,
    taxCents: 0,
    totalCents: 0,
  }
  renderForm(filledForm, { pricing: { ...pricing, totals: freeTotals, lastTotals: freeTotals } })
  expect(countElements('[name="cardnumber"]')).toBe(0)
  await tapReview()
  expect(location.pathname).toBe('/riverside/1/checkout/review')
})

test.each([
  ['before the studio is loaded,', undefined, 'We’ll ask for your card once we reach the studio.'],
  [
    'if the studio accepts no payments,',
    { ...checkout, payment: { provider: 'stripe' as const, publishableKey: 'pk_1', account: null } },
    'Cards aren’t accepted here',
  ],
])('%s the form has no card fields, is blocked, and keeps its input', async (_when, loadedCheckout, text) => {
  const { pricing } = checkoutStateWith(filledForm)
  renderForm(filledForm, { pricing: { ...pricing, checkout: loadedCheckout } })
  expect(countElements('[name="cardnumber"]')).toBe(0)
  expect(document.body.textContent).toContain(text)
  await tapReview()
  expect(location.pathname).toBe('/riverside/1/checkout')
  expect(field('billingAddress.address1').value).toBe(filledForm.billingAddress.address1)
})

test('offline the total is an estimate, and the button is disabled with its reason; a tap stores the input', async () => {
  const { pricing } = checkoutStateWith(filledForm)
  const offlineBlocker = { short: 'You’re offline', message: 'You’re offline. Everything is kept.', toCart: false }
  renderForm(filledForm, {
    blocker: offlineBlocker,
    displayedTotals: undefined,
    pricing: { ...pricing, totals: undefined },
  })
  expect(getButton('Review order').getAttribute('aria-disabled')).toBe('true')
  expect(document.body.textContent).toContain('Estimate · You’re offline')
  expect(getElement(`#${getButton('Review order').getAttribute('aria-describedby')}`).textContent).toBe(
    offlineBlocker.message,
  )
  typeCard()
  await tapReview()
  expect(flush).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('while totals are recalculated, the last total is still shown with a note', () => {
  const { pricing } = checkoutStateWith(filledForm)
  renderForm(filledForm, { blocker: calculatingTotals, pricing: { ...pricing, totals: undefined } })
  expect(document.body.textContent).toContain(calculatingTotals.short)
  expect(document.body.textContent).not.toMatch(/Estimate|We’re updating your total/)
})

describe('"Review order" tapped while the totals load', () => {
  const { pricing } = checkoutStateWith(filledForm)
  const loadingTotals = { blocker: calculatingTotals, pricing: { ...pricing, totals: undefined } }
  const offline = { short: 'You’re offline', message: 'You’re offline. Everything is kept.', toCart: false }
  const review = '/riverside/1/checkout/review'
  const isBusy = () => getButton('Review order').getAttribute('aria-busy') === 'true'
  const statusTexts = () => [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)

  /** Renders a valid form whose totals are loading. Returns a function that renders it with another state. */
  const renderLoadingForm = () => {
    const { rerender } = renderForm(filledForm, loadingTotals)
    typeCard()
    return async (overrides: StateOverrides) => {
      await act(async () => rerender(<FormUnderTest start={filledForm} overrides={overrides} />))
    }
  }

  test('accepts the tap, is busy, and shows what it waits for', async () => {
    renderLoadingForm()
    expect(getButton('Review order').getAttribute('aria-disabled')).toBeNull()
    expect(statusTexts()).not.toContain(calculatingTotals.message)
    await tapReview()
    expect(isBusy()).toBe(true)
    expect(statusTexts()).toContain(calculatingTotals.message)
    expect(flush).toHaveBeenCalledOnce()
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('continues once when the totals arrive, however often it was tapped', async () => {
    const rerenderWith = renderLoadingForm()
    const historyLength = history.length
    await tapReview()
    await tapReview()
    await rerenderWith({})
    expect(location.pathname).toBe(review)
    await rerenderWith({})
    expect(history.length).toBe(historyLength + 1)
    expect(flush).toHaveBeenCalledOnce()
  })

  test('does not continue when the totals arrive if it was not tapped', async () => {
    const rerenderWith = renderLoadingForm()
    await rerenderWith({})
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('cancels the tap when the input changes', async () => {
    const rerenderWith = renderLoadingForm()
    await tapReview()
    expect(isBusy()).toBe(true)
    type(field('billingAddress.city'), 'Omaha')
    expect(isBusy()).toBe(false)
    await rerenderWith({})
    expect(location.pathname).toBe('/riverside/1/checkout')
    await tapReview()
    expect(location.pathname).toBe(review)
  })

  test('cancels the tap when the cart changes', async () => {
    const rerenderWith = renderLoadingForm()
    await tapReview()
    expect(isBusy()).toBe(true)
    const changedCart = { ...cart, cart: { ...cart.cart, version: cart.cart.version + 1 } }
    await rerenderWith({ ...loadingTotals, cart: changedCart })
    expect(isBusy()).toBe(false)
    await rerenderWith({ cart: changedCart })
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('shows a blocker that the totals reveal, and cancels the tap', async () => {
    const rerenderWith = renderLoadingForm()
    await tapReview()
    await rerenderWith({ ...loadingTotals, blocker: offline })
    expect(isBusy()).toBe(false)
    expect(toastLog.current().at(-1)?.text).toBe(offline.message)
    await rerenderWith({})
    expect(location.pathname).toBe('/riverside/1/checkout')
  })
})

test('a military address is offered priority only, with an explanation', () => {
  renderForm({
    ...filledForm,
    billingAddress: { ...filledForm.billingAddress, city: 'APO', state: 'AE', zip: '09012' },
  })
  expect([...document.querySelectorAll<HTMLInputElement>('[value="standard"], [value="priority"]')]).toHaveLength(1)
  expect(getElement<HTMLInputElement>('[value="priority"]').checked).toBe(true)
  expect(document.body.textContent).toContain('get priority mail only')
})

test('another shipping address starts with the customer’s name; batch delivery needs none', () => {
  renderForm(filledForm)
  click(getElement('[type="checkbox"]'))
  expect(field('shippingAddress.name').value).toBe('Annabella Byron')
  click(getElement('[value="batch"]'))
  expect(countElements('[name^="shippingAddress"]')).toBe(0)
})

test('fields of a separate shipping address are named as such, and a wrong value is not called missing', async () => {
  renderForm({ ...filledForm, sameAsBilling: false, customer: { ...filledForm.customer, email: 'annabella@' } })
  typeCard()
  await tapReview()
  const problems = [...document.querySelectorAll('[role="alert"] a')].map(({ textContent }) => textContent)
  expect(problems).toContain('Email isn’t valid')
  expect(problems).toContain('Street address for shipping is missing')
})

test.each([
  ['4', 'Visa'],
  ['5555', 'Mastercard'],
  ['2720', 'Mastercard'],
  ['37', 'Amex'],
  ['6011', 'Discover'],
  ['9', undefined],
])('the mark of the brand of card number %s is highlighted: %s', (number, brand) => {
  renderForm(filledForm)
  expect(document.body.textContent).toContain('Paid securely to Riverside Portraits')
  expect(countElements('[aria-label="Cards"] [aria-current]')).toBe(0)
  type(field('cardnumber'), number)
  expect(document.querySelector('[aria-label="Cards"] [aria-current]')?.textContent).toBe(brand)
})

test('without a state there is no tax of zero, and the total says that it is before tax', () => {
  renderForm(emptyCheckoutForm, { isTaxKnown: false, displayedTotals: { ...totals, taxCents: 0, totalCents: 2995 } })
  const totalsText = getElement('section[aria-labelledby="checkout-totals"]').textContent
  expect(totalsText).toContain('Taxcalculated from your address')
  expect(totalsText).toContain('Total before tax$29.95')
  expect(totalsText).not.toContain('$0.00')
  expect(getElement('summary').textContent).toBe('Your order · 1 package · $29.95 before tax')
})

test.each([
  [390, false],
  [1280, true],
])('at %d pixels the list of the order is open at first: %s', (width, isOpen) => {
  vi.stubGlobal('innerWidth', width)
  renderForm(filledForm)
  expect(getElement<HTMLDetailsElement>('details').open).toBe(isOpen)
  expect(getElement('summary').textContent).toBe('Your order · 1 package · $31.45')
})

test('for a cart of downloads the form says that nothing ships, and offers no delivery options', () => {
  const asDownload = (line: (typeof cart.cart.cartPackages)[number]) => ({
    ...line,
    cartPackageItems: line.cartPackageItems.map((item) => ({ ...item, productCode: 'SingleDigDown' })),
  })
  renderForm(filledForm, {
    cart: { ...cart, cart: { ...cart.cart, cartPackages: cart.cart.cartPackages.map(asDownload) } },
  })
  expect(getElement('section[aria-labelledby="checkout-delivery"]').textContent).toBe(
    'DeliveryDigital only, no shipping.',
  )
  expect(countElements('[value="home"], [value="standard"]')).toBe(0)
})

test('contact, address and card fields have the keyboard and autofill attributes of their kind', () => {
  renderForm(filledForm)
  const attributes = [...document.querySelectorAll<HTMLInputElement>('input[name], select[name]')].map((control) => [
    control.name,
    control.getAttribute('autocomplete'),
    control.getAttribute('inputmode'),
  ])
  expect(attributes).toEqual(
    expect.arrayContaining([
      ['customer.email', 'email', 'email'],
      ['customer.phone', 'tel-national', 'tel'],
      ['billingAddress.address1', 'billing address-line1', null],
      ['billingAddress.state', 'billing address-level1', null],
      ['billingAddress.zip', 'billing postal-code', 'numeric'],
      ['cardnumber', 'cc-number', 'numeric'],
      ['cc-exp', 'cc-exp', 'numeric'],
      ['cvc', 'cc-csc', 'numeric'],
    ]),
  )
})

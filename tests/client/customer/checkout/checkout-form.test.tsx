import { act, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearCard } from '#client/customer/checkout/card/chosen-card.ts'
import { calculatingTotals } from '#client/customer/checkout/checkout-blocker.ts'
import { CheckoutForm } from '#client/customer/checkout/checkout-form.tsx'
import { checkoutDelivery } from '#client/customer/checkout/form/checkout-delivery.ts'
import {
  emptyCheckoutForm,
  type CheckoutFormValues as Typed,
} from '#client/customer/checkout/form/checkout-form-values.ts'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { cart, checkout, checkoutStateWith, filledForm, jobContext } from './checkout-examples.ts'

const kept = vi.fn(async () => {})

type More = Partial<ReturnType<typeof checkoutStateWith>>

const Drawn = ({ start, more }: { start: Typed; more: More }) => {
  const [form, setForm] = useState(start)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const draft = { form, change: (next: (before: Typed) => Typed) => setForm(next), flush: kept }
  return (
    <BottomBarSlot value={slot}>
      <CheckoutForm
        event={jobContext}
        form={form}
        now={checkoutStateWith(form, { draft, delivery: checkoutDelivery(form, checkout), ...more })}
      />
      <div ref={setSlot} />
    </BottomBarSlot>
  )
}

const draw = (start: Typed, more: More = {}) => render(<Drawn start={start} more={more} />)
const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)
const errorOf = (name: string): string => {
  const described = field(name).getAttribute('aria-describedby') ?? ''
  return document.getElementById(described.split(' ').at(-1) ?? '')?.textContent ?? ''
}
const goOn = async () => {
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
  kept.mockClear()
})

test('an empty form reports each missing field and focuses the first', async () => {
  draw(emptyCheckoutForm)
  expect(getElement('[role="alert"]').textContent).toBe('')
  await goOn()
  expect(getElement('[role="alert"]').textContent).toBe('Please fix the fields marked below')
  for (const name of ['customer.firstName', 'customer.email', 'customer.phone', 'billingAddress.state', 'cardnumber']) {
    expect([name, errorOf(name)]).toEqual([name, 'This field is required'])
  }
  expect(document.activeElement).toBe(field('customer.firstName'))
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test.each([
  ['customer.email', 'annabella@', 'This value is not a valid email address'],
  ['customer.phone', '12', 'This value is not a valid phone number'],
  ['billingAddress.zip', '685', 'This value is not a valid ZIP code'],
])('%s shows the exact error and clears it once corrected', async (name, text, message) => {
  draw(filledForm)
  const good = field(name).value
  type(field(name), text)
  typeCard()
  await goOn()
  expect(errorOf(name)).toBe(message)
  expect(document.activeElement).toBe(field(name))
  type(field(name), good)
  expect(errorOf(name)).toBe('')
  expect(getElement('[role="alert"]').textContent).toBe('')
})

test('a valid form continues to the review with its input stored, and only the last digits of the card', async () => {
  draw(filledForm)
  typeCard()
  expect(field('cardnumber').value).toBe('4242 4242 4242 4242')
  await goOn()
  expect(kept).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/riverside/1/checkout/review')
  expect(countElements('[name="cardnumber"]')).toBe(0)
  expect(document.body.textContent).toContain('Card ending 4242')
})

test('an unknown card shows one error and blocks the form', async () => {
  draw(filledForm)
  typeCard('4111 1111 1111 1111')
  await goOn()
  expect(errorOf('cardnumber')).toBe('Payments here are for testing: only test cards work, such as 4242 4242 4242 4242')
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('a free order needs no card', async () => {
  const { priced } = checkoutStateWith(filledForm)
  const nothing = { packagesCents: 0, servicesCents: 0, discountCents: 0, shippingCents: 0, taxCents: 0, totalCents: 0 }
  draw(filledForm, { priced: { ...priced, totals: nothing, lastTotals: nothing } })
  expect(countElements('[name="cardnumber"]')).toBe(0)
  await goOn()
  expect(location.pathname).toBe('/riverside/1/checkout/review')
})

test.each([
  ['before the studio is loaded,', undefined, 'We ask for your card once we reach the studio.'],
  [
    'if the studio accepts no payments,',
    { ...checkout, payment: { provider: 'stripe' as const, publishableKey: 'pk_1', account: null } },
    'Cards are not taken on this page',
  ],
])('%s there are no card fields, the form is blocked, and the input stays', async (_when, known, words) => {
  const { priced } = checkoutStateWith(filledForm)
  draw(filledForm, { priced: { ...priced, checkout: known } })
  expect(countElements('[name="cardnumber"]')).toBe(0)
  expect(document.body.textContent).toContain(words)
  await goOn()
  expect(location.pathname).toBe('/riverside/1/checkout')
  expect(field('billingAddress.address1').value).toBe(filledForm.billingAddress.address1)
})

test('offline the total is an estimate, and the button stays with its reason', async () => {
  const { priced } = checkoutStateWith(filledForm)
  const hold = { short: 'You’re offline', message: 'You’re offline. Everything is kept.', toCart: false }
  draw(filledForm, { blocker: hold, shown: undefined, priced: { ...priced, totals: undefined } })
  expect(getButton('Review order').getAttribute('aria-disabled')).toBe('true')
  expect(document.body.textContent).toContain('Estimate · You’re offline')
  expect(getElement(`#${getButton('Review order').getAttribute('aria-describedby')}`).textContent).toBe(hold.message)
  typeCard()
  await goOn()
  expect(kept).toHaveBeenCalledOnce()
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('while totals are recalculated, the last total stays and says so', () => {
  const { priced } = checkoutStateWith(filledForm)
  draw(filledForm, { blocker: calculatingTotals, priced: { ...priced, totals: undefined } })
  expect(document.body.textContent).toContain(calculatingTotals.short)
  expect(document.body.textContent).not.toMatch(/Estimate|The studio is adding up/)
})

describe('"Review order" tapped while the totals load', () => {
  const { priced } = checkoutStateWith(filledForm)
  const adding = { blocker: calculatingTotals, priced: { ...priced, totals: undefined } }
  const offline = { short: 'You’re offline', message: 'You’re offline. Everything is kept.', toCart: false }
  const review = '/riverside/1/checkout/review'
  const isBusy = () => getButton('Review order').getAttribute('aria-busy') === 'true'
  const said = () => [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)

  /** Renders a valid form whose totals are loading; `then` renders what follows. */
  const drawAdding = () => {
    const { again } = draw(filledForm, adding)
    typeCard()
    return async (more: More) => {
      await act(async () => again(<Drawn start={filledForm} more={more} />))
    }
  }

  test('accepts the tap, is busy, and says what it waits for', async () => {
    drawAdding()
    expect(getButton('Review order').getAttribute('aria-disabled')).toBeNull()
    expect(said()).not.toContain(calculatingTotals.message)
    await goOn()
    expect(isBusy()).toBe(true)
    expect(said()).toContain(calculatingTotals.message)
    expect(kept).toHaveBeenCalledOnce()
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('continues once when the totals arrive, however often it was tapped', async () => {
    const becomes = drawAdding()
    const steps = history.length
    await goOn()
    await goOn()
    await becomes({})
    expect(location.pathname).toBe(review)
    await becomes({})
    expect(history.length).toBe(steps + 1)
    expect(kept).toHaveBeenCalledOnce()
  })

  test('does not continue when the totals arrive if it was not tapped', async () => {
    const becomes = drawAdding()
    await becomes({})
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('cancels the tap when the input changes', async () => {
    const becomes = drawAdding()
    await goOn()
    expect(isBusy()).toBe(true)
    type(field('billingAddress.city'), 'Omaha')
    expect(isBusy()).toBe(false)
    await becomes({})
    expect(location.pathname).toBe('/riverside/1/checkout')
    await goOn()
    expect(location.pathname).toBe(review)
  })

  test('cancels the tap when the cart changes', async () => {
    const becomes = drawAdding()
    await goOn()
    expect(isBusy()).toBe(true)
    const other = { ...cart, cart: { ...cart.cart, version: cart.cart.version + 1 } }
    await becomes({ ...adding, cart: other })
    expect(isBusy()).toBe(false)
    await becomes({ cart: other })
    expect(location.pathname).toBe('/riverside/1/checkout')
  })

  test('shows a blocker that the totals reveal, and cancels the tap', async () => {
    const becomes = drawAdding()
    await goOn()
    await becomes({ ...adding, blocker: offline })
    expect(isBusy()).toBe(false)
    expect(toastLog.current().at(-1)?.text).toBe(offline.message)
    await becomes({})
    expect(location.pathname).toBe('/riverside/1/checkout')
  })
})

test('a military address is offered priority only, with an explanation', () => {
  draw({ ...filledForm, billingAddress: { ...filledForm.billingAddress, city: 'APO', state: 'AE', zip: '09012' } })
  expect([...document.querySelectorAll<HTMLInputElement>('[value="standard"], [value="priority"]')]).toHaveLength(1)
  expect(getElement<HTMLInputElement>('[value="priority"]').checked).toBe(true)
  expect(document.body.textContent).toContain('reached by priority mail only')
})

test('another shipping address starts with the customer’s name; batch delivery needs none', () => {
  draw(filledForm)
  click(getElement('[type="checkbox"]'))
  expect(field('shippingAddress.firstName').value).toBe('Annabella')
  click(getElement('[value="batch"]'))
  expect(countElements('[name^="shippingAddress"]')).toBe(0)
})

test('a cart of downloads says that nothing is shipped, and promises nothing else', () => {
  const asFile = (line: (typeof cart.cart.cartPackages)[number]) => ({
    ...line,
    cartPackageItems: line.cartPackageItems.map((item) => ({ ...item, productCode: 'SingleDigDown' })),
  })
  draw(filledForm, { cart: { ...cart, cart: { ...cart.cart, cartPackages: cart.cart.cartPackages.map(asFile) } } })
  expect(getElement('section[aria-labelledby="checkout-delivery"]').textContent).toBe(
    'DeliveryYour order is all downloads, so nothing is printed or mailed.',
  )
  expect(countElements('[value="home"], [value="standard"]')).toBe(0)
})

test('every field has the right keyboard and autofill attributes', () => {
  draw(filledForm)
  const facts = [...document.querySelectorAll<HTMLInputElement>('input[name], select[name]')].map((each) => [
    each.name,
    each.getAttribute('autocomplete'),
    each.getAttribute('inputmode'),
  ])
  expect(facts).toEqual(
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

import 'fake-indexeddb/auto'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CartWithAddOnsScreen } from '#client/app/cart-with-add-ons-screen.tsx'
import { CartLink } from '#client/app/customer-layout/cart-link.tsx'
import { OrderServicesScreen } from '#client/customer/cart/order-services/order-services-screen.tsx'
import { CheckoutScreen } from '#client/customer/checkout/checkout-screen.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { countElements, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { allServices, plainService } from '#tests/domain/cart/order-service-fixtures.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const openMethod = { available: true, opens: null, closes: null }
const closedMethod = { available: false, opens: null, closes: '2027-04-01T00:00:00.000Z' }
const { availability, studio } = springJobContext()

/** The usual course of a job: prepaid ordering has ended and gallery ordering has begun. */
const galleryOnly: Partial<JobContextValue> = {
  availability: { ...availability, prepay: closedMethod, gallery: openMethod },
  orderMethod: 'gallery',
  studio: { ...studio, phone: '937-555-0142' },
}
const prepayOnly: Partial<JobContextValue> = {
  availability: { ...availability, prepay: openMethod, gallery: closedMethod },
  orderMethod: 'prepay',
}
const bothClosed: Partial<JobContextValue> = {
  availability: { ...availability, prepay: closedMethod, gallery: closedMethod },
  orderMethod: 'gallery',
  closedReason: 'Ordering has ended',
}

const add = (orderMethod: OrderMethod, name: string, quantity = 1) => {
  const snapshot = snapshotOf(packageOf({ id: 100, name, items: [] }))
  const owner = { subjectId: 7, personId: null }
  return addLine(database, stamp, { jobId: 1, orderMethod, snapshot, ...owner, quantity, content: noContent })
}

const openScreen = (
  overrides: Partial<JobContextValue>,
  Screen: (_: typeof route) => ReactNode = CartWithAddOnsScreen,
) => {
  const slot = document.body.appendChild(document.createElement('div'))
  slot.id = 'bar'
  render(
    <JobContext value={springJobContext(overrides)}>
      <BottomBarSlot value={slot}>
        <Screen {...route} />
      </BottomBarSlot>
    </JobContext>,
  )
}

const closedCart = () => getElement('section[aria-labelledby="closed-cart"]')
const headings = () => [...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent)

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterEach(() => vi.unstubAllGlobals())

describe('a cart whose order method has closed while the other is open', () => {
  test('is shown above the empty cart, with subjects, packages, quantities, prices and the reason', async () => {
    await add('prepay', 'Portrait', 2)
    openScreen(galleryOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Chosen before picture day', 'Your new cart is empty']))
    const text = closedCart().textContent
    expect(text).toContain('Portrait × 2')
    expect(text).toContain('for Ada')
    expect(text).toContain('Total$50.00')
    expect(text).toContain('Ordering has ended')
    expect(getElement('a[href^="tel:"]').textContent).toBe('937-555-0142')
  })

  test('is read-only and cannot be paid', async () => {
    await add('prepay', 'Portrait')
    openScreen(galleryOnly)
    await waitForPage(() => expect(closedCart().textContent).toContain('Portrait'))
    expect(closedCart().querySelectorAll('button, a:not([href^="tel:"])')).toHaveLength(0)
    expect(getElement('#bar').textContent).toBe('')
  })

  test('appears below the packages of the open cart, which alone are counted and paid', async () => {
    await add('prepay', 'Portrait', 2)
    await add('gallery', 'Memory')
    openScreen(galleryOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Ada Lovelace', 'Chosen before picture day']))
    expect(getElement('#bar').textContent).toContain('$25.00')
  })

  test('has a heading about photos if gallery ordering is over', async () => {
    await add('gallery', 'Portrait')
    openScreen(prepayOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Chosen from your photos', 'Your new cart is empty']))
  })

  test('shows packages chosen offline that arrived too late', async () => {
    await add('prepay', 'Portrait')
    const rejection = { problem: 'method-closed', message: 'Ordering has ended' }
    await database.outbox.toCollection().modify({ state: 'rejected', rejection })
    openScreen(galleryOnly)
    await waitForPage(() => expect(closedCart().textContent).toContain('Portrait was not accepted'))
  })

  test('is not shown once it is empty', async () => {
    openScreen(galleryOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Your cart is empty']))
  })
})

test('with both methods closed, the other cart is shown too', async () => {
  await add('prepay', 'Portrait')
  await add('gallery', 'Memory')
  openScreen(bothClosed)
  await waitForPage(() => expect(headings()).toEqual(['Cart', 'Ada Lovelace', 'Chosen before picture day']))
})

test('with both methods closed, no new cart is offered next to the closed one', async () => {
  await add('prepay', 'Portrait')
  openScreen(bothClosed)
  await waitForPage(() => expect(headings()).toEqual(['Cart', 'Chosen before picture day']))
})

test('with both methods open, the link to the other cart shows its number of packages', async () => {
  await add('prepay', 'Portrait', 2)
  openScreen({ availability: { ...availability, prepay: openMethod }, orderMethod: 'gallery' })
  await waitForPage(() => expect(document.body.textContent).toContain('Order without choosing photos (2 packages)'))
  expect(countElements('#closed-cart')).toBe(0)
})

describe('the cart count in the header', () => {
  const renderHeader = (overrides: Partial<JobContextValue>) => render(<CartLink job={springJobContext(overrides)} />)
  const waitForText = (text: string) => waitForPage(() => expect(document.body.textContent).toContain(text))

  test('excludes the packages of a closed cart', async () => {
    await add('prepay', 'Portrait', 2)
    renderHeader(galleryOnly)
    await add('gallery', 'Memory')
    await waitForText('Cart, 1 package')
  })

  test('shows a count of 0 if ordering has closed altogether', async () => {
    await add('gallery', 'Memory')
    renderHeader(galleryOnly)
    await waitForText('Cart, 1 package')
    renderHeader(bothClosed)
    await waitForText('Cart, 0 packages')
  })

  test('excludes the other cart while it can be switched to', async () => {
    await add('prepay', 'Portrait', 2)
    await add('gallery', 'Memory')
    renderHeader({ availability: { ...availability, prepay: openMethod }, orderMethod: 'gallery' })
    await waitForText('Cart, 1 package')
  })

  test('reports that a closed cart has rejected changes', async () => {
    await add('prepay', 'Portrait')
    const rejection = { problem: 'method-closed', message: 'Ordering has ended' }
    await database.outbox.toCollection().modify({ state: 'rejected', rejection })
    renderHeader(galleryOnly)
    await waitForText('Needs your attention')
  })
})

describe.each([
  ['checkout', CheckoutScreen],
  ['services', OrderServicesScreen],
])('the %s of an empty cart', (_, Screen) => {
  beforeEach(() => {
    const services = { ...allServices, services: [plainService] }
    vi.stubGlobal('fetch', async (input: Request | string | URL) => {
      const address = input instanceof Request ? input.url : String(input)
      if (!/services/i.test(address)) throw new TypeError('no network')
      return new Response(JSON.stringify({ data: services }))
    })
  })

  const linkToCart = () => document.querySelector('a[href="/riverside/1/cart"]')?.textContent

  test('links to the cart if the closed cart has packages', async () => {
    await add('prepay', 'Portrait')
    openScreen(galleryOnly, Screen)
    await waitForPage(() => expect(headings()).toContain('Your cart is empty'))
    await waitForPage(() => expect(linkToCart()).toBe('See your cart'))
  })

  test('has no link to the cart if nothing was chosen', async () => {
    openScreen(galleryOnly, Screen)
    await waitForPage(() => expect(headings()).toContain('Your cart is empty'))
    expect(linkToCart()).toBeUndefined()
  })
})

import 'fake-indexeddb/auto'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CartLink } from '#client/app/customer-layout/cart-link.tsx'
import { CartScreen } from '#client/customer/cart/cart-screen.tsx'
import { OrderServicesScreen } from '#client/customer/cart/order-services/order-services-screen.tsx'
import { CheckoutScreen } from '#client/customer/checkout/checkout-screen.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { countElements, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { allServices, plainService } from '../../../domain/cart/order-service-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const openNow = { available: true, opens: null, closes: null }
const closedNow = { available: false, opens: null, closes: '2027-04-01T00:00:00.000Z' }
const { availability, studio } = springJobContext()

/** The usual course of a job: prepaid ordering has ended and gallery ordering has begun. */
const galleryOnly: Partial<JobContextValue> = {
  availability: { ...availability, prepay: closedNow, gallery: openNow },
  orderMethod: 'gallery',
  studio: { ...studio, phone: '937-555-0142' },
}
const prepayOnly: Partial<JobContextValue> = {
  availability: { ...availability, prepay: openNow, gallery: closedNow },
  orderMethod: 'prepay',
}
const bothClosed: Partial<JobContextValue> = {
  availability: { ...availability, prepay: closedNow, gallery: closedNow },
  orderMethod: 'gallery',
  closed: 'Ordering has ended',
}

const add = (orderMethod: OrderMethod, name: string, quantity = 1) => {
  const snapshot = snapshotOf(packageOf({ id: 100, name, items: [] }))
  const owner = { subjectId: 7, personId: null }
  return addLine(database, stamp, { jobId: 1, orderMethod, snapshot, ...owner, quantity, content: noContent })
}

const open = (own: Partial<JobContextValue>, Screen: (_: typeof route) => ReactNode = CartScreen) => {
  const slot = document.body.appendChild(document.createElement('div'))
  slot.id = 'bar'
  render(
    <JobContext value={springJobContext(own)}>
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
    open(galleryOnly)
    await waitForPage(() =>
      expect(headings()).toEqual(['Cart', 'Chosen before the pictures', 'Your new cart is empty']),
    )
    const words = closedCart().textContent
    expect(words).toContain('Portrait × 2')
    expect(words).toContain('for Ada')
    expect(words).toContain('Total$50.00')
    expect(words).toContain('Ordering has ended')
    expect(getElement('a[href^="tel:"]').textContent).toBe('937-555-0142')
  })

  test('is read-only and cannot be paid', async () => {
    await add('prepay', 'Portrait')
    open(galleryOnly)
    await waitForPage(() => expect(closedCart().textContent).toContain('Portrait'))
    expect(closedCart().querySelectorAll('button, a:not([href^="tel:"])')).toHaveLength(0)
    expect(getElement('#bar').textContent).toBe('')
  })

  test('appears below the packages of the open cart, which alone are counted and paid', async () => {
    await add('prepay', 'Portrait', 2)
    await add('gallery', 'Memory')
    open(galleryOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Ada Lovelace', 'Chosen before the pictures']))
    expect(getElement('#bar').textContent).toContain('$25.00')
  })

  test('refers to the images if gallery ordering is over', async () => {
    await add('gallery', 'Portrait')
    open(prepayOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Chosen from the pictures', 'Your new cart is empty']))
  })

  test('shows packages chosen offline that arrived too late', async () => {
    await add('prepay', 'Portrait')
    const refusal = { problem: 'method-closed', message: 'Ordering has ended' }
    await database.outbox.toCollection().modify({ state: 'refused', refusal })
    open(galleryOnly)
    await waitForPage(() => expect(closedCart().textContent).toContain('Portrait was not accepted'))
  })

  test('is not shown once it is empty', async () => {
    open(galleryOnly)
    await waitForPage(() => expect(headings()).toEqual(['Cart', 'Your cart is empty']))
  })
})

test('with both methods closed, the other cart is shown too', async () => {
  await add('prepay', 'Portrait')
  await add('gallery', 'Memory')
  open(bothClosed)
  await waitForPage(() => expect(headings()).toEqual(['Cart', 'Ada Lovelace', 'Chosen before the pictures']))
})

test('with both methods closed, no new cart is offered next to the closed one', async () => {
  await add('prepay', 'Portrait')
  open(bothClosed)
  await waitForPage(() => expect(headings()).toEqual(['Cart', 'Chosen before the pictures']))
})

test('with both methods open, the link to the other cart shows its number of packages', async () => {
  await add('prepay', 'Portrait', 2)
  open({ availability: { ...availability, prepay: openNow }, orderMethod: 'gallery' })
  await waitForPage(() => expect(document.body.textContent).toContain('Order without choosing pictures (2 packages)'))
  expect(countElements('#closed-cart')).toBe(0)
})

describe('the cart count in the header', () => {
  const header = (own: Partial<JobContextValue>) => render(<CartLink event={springJobContext(own)} />)
  const says = (words: string) => waitForPage(() => expect(document.body.textContent).toContain(words))

  test('excludes the packages of a closed cart', async () => {
    await add('prepay', 'Portrait', 2)
    header(galleryOnly)
    await add('gallery', 'Memory')
    await says('Cart, 1 package')
  })

  test('shows no count if ordering has closed altogether', async () => {
    await add('gallery', 'Memory')
    header(galleryOnly)
    await says('Cart, 1 package')
    header(bothClosed)
    await says('Cart, 0 packages')
  })

  test('excludes the other cart while it can be switched to', async () => {
    await add('prepay', 'Portrait', 2)
    await add('gallery', 'Memory')
    header({ availability: { ...availability, prepay: openNow }, orderMethod: 'gallery' })
    await says('Cart, 1 package')
  })

  test('reports that a closed cart has changes the studio rejected', async () => {
    await add('prepay', 'Portrait')
    const refusal = { problem: 'method-closed', message: 'Ordering has ended' }
    await database.outbox.toCollection().modify({ state: 'refused', refusal })
    header(galleryOnly)
    await says('Needs your attention')
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

  test('leads to the cart if the closed cart holds packages', async () => {
    await add('prepay', 'Portrait')
    open(galleryOnly, Screen)
    await waitForPage(() => expect(headings()).toContain('Your cart is empty'))
    await waitForPage(() => expect(linkToCart()).toBe('See your cart'))
  })

  test('leads to no cart if nothing was chosen', async () => {
    open(galleryOnly, Screen)
    await waitForPage(() => expect(headings()).toContain('Your cart is empty'))
    expect(linkToCart()).toBeUndefined()
  })
})

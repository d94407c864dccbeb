import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import { CartOrderedNotice } from '#client/customer/shared/cart/cart-ordered-notice.tsx'
import { markOrdered } from '#local/checkout.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { saveOrder } from '#local/store/stored-orders.ts'
import { database, stamp } from '#platform/database.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'
import { order } from '../orders/order-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const { orderNumber } = order

const renderNotice = (isCartEmpty: boolean) =>
  render(<CartOrderedNotice route={{ studioSlug: 'riverside', jobId: 1 }} cartKey={key} isEmpty={isCartEmpty} />)

const pageText = () => document.body.textContent ?? ''

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  await markOrdered(database, stamp, { ...key, orderNumber, order: null })
})

describe('an order placed on this device', () => {
  test('is mentioned next to a new cart until it is opened on this device', async () => {
    renderNotice(false)
    await waitForPage(() => expect(pageText()).toContain(`You ordered this – ${orderNumber}`))
    await saveOrder(database, stamp, { ...order, jobId: 1 })
    await waitForPage(() => expect(pageText()).not.toContain('You ordered this'))
  })

  test('is mentioned in an empty cart even after it was opened', async () => {
    await saveOrder(database, stamp, { ...order, jobId: 1 })
    expect(await readOrderNote(database, key)).toEqual({ orderNumber, here: true, opened: true })
    renderNotice(true)
    await waitForPage(() => expect(pageText()).toContain(`You ordered this – ${orderNumber}`))
  })
})

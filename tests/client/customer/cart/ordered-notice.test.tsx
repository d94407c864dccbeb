import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import { CartOrderedNotice } from '#client/customer/shared/cart/cart-ordered-notice.tsx'
import { markOrdered, saveOrder } from '#local/checkout.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { database, stamp } from '#platform/database.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'
import { order } from '../orders/order-examples.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const { orderNumber } = order

const open = (empty: boolean) =>
  render(<CartOrderedNotice route={{ studioSlug: 'riverside', jobId: 1 }} cartKey={key} empty={empty} />)

const shown = () => document.body.textContent ?? ''

beforeEach(async () => {
  document.body.replaceChildren()
  await database.delete()
  await database.open()
  await markOrdered(database, stamp, { ...key, orderNumber, order: null })
})

describe('an order placed on this device', () => {
  test('is mentioned next to a new cart until opened here, since the payment may have ended unseen', async () => {
    open(false)
    await waitForPage(() => expect(shown()).toContain(`You ordered this – ${orderNumber}`))
    await saveOrder(database, stamp, { ...order, jobId: 1 })
    await waitForPage(() => expect(shown()).not.toContain('You ordered this'))
  })

  test('is mentioned in an empty cart even after it was opened', async () => {
    await saveOrder(database, stamp, { ...order, jobId: 1 })
    expect(await readOrderNote(database, key)).toEqual({ orderNumber, here: true, opened: true })
    open(true)
    await waitForPage(() => expect(shown()).toContain(`You ordered this – ${orderNumber}`))
  })
})

import { expect, test } from 'vitest'
import { orderColumns } from '#client/staff/studio/orders/list/order-columns.tsx'
import type { OrderRow } from '#contract/studio/order-lists.ts'
import { render } from '#support/rendering/render.tsx'

const row: OrderRow = {
  ...{ orderNumber: 'FP-00000001', customerName: 'Ann Byron', email: 'ann@byron.test', people: ['Ada Lovelace'] },
  ...{ state: 'placed', orderMethod: 'gallery', placedAt: '2027-04-02T10:00:00.000Z', packageCount: 1 },
  ...{ totalCents: 1950, refundedCents: 0, delivery: 'home', batch: null, packet: null },
  ...{ trackingNumber: null, why: null },
}
const columns = orderColumns({
  timeZone: 'America/New_York',
  urlOf: (number) => `/${number}`,
  openInPanel: () => false,
})

const batch = { id: 4, name: 'Batch 4' }
test.each<[string, Partial<OrderRow>]>([
  ['Home', { delivery: 'home' }],
  ['Studio', { delivery: 'studio' }],
  ['Batch 4', { delivery: 'studio', batch }],
  ['Download', { delivery: 'download' }],
  ['Download', { delivery: 'download', batch }],
])('the column of the delivery shows "%s" for %o', (label, change) => {
  render(columns.find(({ id }) => id === 'delivery')?.cell({ ...row, ...change }))
  expect(document.body.textContent).toBe(label)
})

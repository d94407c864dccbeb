import { expect, test } from 'vitest'
import { stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { openPanel, switchOff } from './settings-panel.ts'

const noOrders = { orderCount: 0, orderedCents: null }
let counts: object
stubStaffServer((path) => (path.endsWith('/shares') ? counts : undefined))

test.each([
  [
    'no link was made',
    { linkCount: 0, viewCount: 0, activeCount: 0, ...noOrders },
    'No links were made in the last 30 days.',
  ],
  [
    'links were made',
    { linkCount: 2, viewCount: 0, activeCount: 1, ...noOrders },
    'In the last 30 days: 2 links made, and opened 0 times. 1 link can be opened now.',
  ],
  [
    'orders followed',
    { linkCount: 2, viewCount: 1, activeCount: 0, orderCount: 3, orderedCents: 12050 },
    'opened 1 time. 3 orders for $120.50 placed for the same children within 14 days of a link that was opened.',
  ],
])('the counts of links are shown when %s', async (_, sample, text) => {
  counts = sample
  await openPanel('Sharing', text)
})

test('sharing can be switched off', async () => {
  counts = { linkCount: 0, viewCount: 0, activeCount: 0, ...noOrders }
  await openPanel('Sharing', 'Parents can show photos to someone by a link')
  const changes = await switchOff('Sharing', 'isSharingEnabled')
  await waitUntil(() => expect(changes).toEqual([{ version: 1, isSharingEnabled: false }]))
})

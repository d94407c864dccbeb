import { expect, test } from 'vitest'
import { stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { openPanel, switchOff } from './settings-panel.ts'

let results: object
stubStaffServer((path) => (path.endsWith('/reminders') ? results : undefined))

test.each([
  [
    'nothing was sent',
    { sentCount: 0, orderCount: 0, orderedCents: 0 },
    'No reminders were sent in the last 12 months.',
  ],
  [
    'they brought orders',
    { sentCount: 12, orderCount: 1, orderedCents: 5425 },
    'In the last 12 months: 12 reminders sent, and 1 order for $54.25 placed from the same cart within 14 days.',
  ],
  [
    'the reader may not see money',
    { sentCount: 1, orderCount: 2, orderedCents: null },
    'In the last 12 months: 1 reminder sent, and 2 orders placed from the same cart within 14 days.',
  ],
])('the results of reminders are shown when %s', async (_, sample, text) => {
  results = sample
  await openPanel('Reminders', text)
})

test('a kind can be switched off', async () => {
  results = { sentCount: 0, orderCount: 0, orderedCents: null }
  await openPanel('Reminders', 'About a cart that was left')
  const changes = await switchOff('Reminders', 'cart')
  const reminderPreferences = { 'order-by': true, 'images-online': true, cart: false }
  await waitUntil(() => expect(changes).toEqual([{ version: 1, reminderPreferences }]))
})

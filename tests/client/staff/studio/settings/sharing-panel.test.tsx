import { expect, test } from 'vitest'
import { stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { openPanel, switchOff } from './settings-panel.ts'

let counts: object
stubStaffServer((path) => (path.endsWith('/shares') ? counts : undefined))

test.each([
  ['no link was made', { linkCount: 0, viewCount: 0, activeCount: 0 }, 'No links were made in the last 30 days.'],
  [
    'links were made',
    { linkCount: 2, viewCount: 1, activeCount: 1 },
    'In the last 30 days: 2 links made, and opened 1 time. 1 link can be opened now.',
  ],
])('the counts of links are shown when %s', async (_, sample, text) => {
  counts = sample
  await openPanel('Sharing', text)
})

test('sharing can be switched off', async () => {
  counts = { linkCount: 0, viewCount: 0, activeCount: 0 }
  await openPanel('Sharing', 'Parents can show photos to someone by a link')
  const changes = await switchOff('Sharing', 'isSharingEnabled')
  await waitUntil(() => expect(changes).toEqual([{ version: 1, isSharingEnabled: false }]))
})

import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, studioResponse, waitUntil } from '#support/rendering/render-staff-screen.tsx'

let results: object
stubStaffServer((path) => (path.endsWith('/reminders') ? results : undefined))

const findPanel = () =>
  [...document.querySelectorAll('section')].find((section) => section.querySelector('h2')?.textContent === 'Reminders')
const openPanel = async (text: string) => {
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() => expect(findPanel()?.textContent).toContain(text))
}

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
  await openPanel(text)
})

test('a kind can be switched off', async () => {
  results = { sentCount: 0, orderCount: 0, orderedCents: null }
  const patches: unknown[] = []
  const stubbedFetch = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method !== 'PATCH') return await stubbedFetch(url, init)
    patches.push(JSON.parse(String(init.body)))
    return Response.json({ data: studioResponse(7) })
  })
  await openPanel('About a cart that was left')
  const box = findPanel()?.querySelector<HTMLInputElement>('input[name=cart]')
  expect(box?.checked).toBe(true)
  act(() => box?.click())
  const save = [...(findPanel()?.querySelectorAll('button') ?? [])].find(({ textContent }) =>
    /^Save/.test(textContent ?? ''),
  )
  await act(async () => save?.click())
  const reminderPreferences = { 'order-by': true, 'images-online': true, cart: false }
  await waitUntil(() => expect(patches).toEqual([{ version: 1, reminderPreferences }]))
})

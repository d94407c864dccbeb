import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, studioResponse, waitUntil } from '#support/rendering/render-staff-screen.tsx'

let counts: object
stubStaffServer((path) => (path.endsWith('/shares') ? counts : undefined))

const findPanel = () =>
  [...document.querySelectorAll('section')].find((section) => section.querySelector('h2')?.textContent === 'Sharing')
const openPanel = async (text: string) => {
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() => expect(findPanel()?.textContent).toContain(text))
}

test.each([
  ['no link was made', { linkCount: 0, viewCount: 0, activeCount: 0 }, 'No links were made in the last 30 days.'],
  [
    'links were made',
    { linkCount: 2, viewCount: 1, activeCount: 1 },
    'In the last 30 days: 2 links made, and opened 1 time. 1 link can be opened now.',
  ],
])('the counts of links are shown when %s', async (_, sample, text) => {
  counts = sample
  await openPanel(text)
})

test('sharing can be switched off', async () => {
  counts = { linkCount: 0, viewCount: 0, activeCount: 0 }
  const patches: unknown[] = []
  const stubbedFetch = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method !== 'PATCH') return await stubbedFetch(url, init)
    patches.push(JSON.parse(String(init.body)))
    return Response.json({ data: studioResponse(7) })
  })
  await openPanel('Parents can show photos to someone by a link')
  const box = findPanel()?.querySelector<HTMLInputElement>('input[name=isSharingEnabled]')
  expect(box?.checked).toBe(true)
  act(() => box?.click())
  const save = [...(findPanel()?.querySelectorAll('button') ?? [])].find(({ textContent }) =>
    /^Save/.test(textContent ?? ''),
  )
  await act(async () => save?.click())
  await waitUntil(() => expect(patches).toEqual([{ version: 1, isSharingEnabled: false }]))
})

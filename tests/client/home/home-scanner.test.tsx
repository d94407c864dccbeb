// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HomeScanner } from '#client/home/home-scanner.tsx'
import { render } from '#support/rendering/render.tsx'

let readCard: (text: string) => Promise<string | undefined>

vi.mock('#ui/scanner/scan-card.tsx', () => ({
  notACardMessage: 'That is not a card',
  ScanCard: ({ onRead }: { onRead: typeof readCard }) => {
    readCard = onRead
    return null
  },
}))

const offeredEvents = ['riverside', 'summit'].map((studioSlug) => ({
  ...{ code: 'SPRING27', jobName: 'Spring Portraits', studioSlug, studioName: `Studio ${studioSlug}` },
}))

beforeEach(() => {
  history.replaceState(null, '', '/')
  vi.stubGlobal('fetch', async () => Response.json({ data: { event: null, events: offeredEvents, studios: [] } }))
})
afterEach(() => vi.unstubAllGlobals())

test('a scanned code that several studios use offers their events and opens none', async () => {
  render(<HomeScanner />)
  await act(async () => void (await readCard('SPRING27')))
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect([...document.querySelectorAll('li a')].map((link) => link.getAttribute('href'))).toEqual([
      '/riverside/code/SPRING27',
      '/summit/code/SPRING27',
    ])
  })
  expect(location.pathname).toBe('/')
})

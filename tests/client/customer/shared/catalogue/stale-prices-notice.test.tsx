import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StalePricesNotice } from '#client/customer/shared/catalogue/stale-prices-notice.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { catalogueCache } from '#local/store/cache-names.ts'
import { online } from '#platform/online.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const now = new Date(2027, 2, 9, 16, 20)
let cacheLookups: string[]

/** Stubs the cached packages, with the server's date. */
const stubCache = (headers: Record<string, string> | null) =>
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      match: async (address: string) => {
        cacheLookups.push(`${name} ${address}`)
        return headers ? new Response('[]', { headers }) : undefined
      },
    }),
  })

const renderNotice = async () => {
  const { box } = render(
    <JobContext value={springJobContext()}>
      <StalePricesNotice className="note" />
    </JobContext>,
  )
  // The notice's chunk has to load first.
  await act(async () => void (await import('#client/customer/shared/catalogue/stale-prices-text.tsx')))
  await act(async () => undefined)
  return box.textContent
}

beforeEach(() => {
  cacheLookups = []
  vi.useFakeTimers({ now, toFake: ['Date'] })
  online.set(false)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  online.set(true)
})

test.each([
  ['the same day', new Date(2027, 2, 9, 14, 5), 'Prices checked 2:05 PM'],
  ['earlier days', new Date(2027, 2, 6, 14, 5), 'Prices checked March 6'],
])('offline, the age of the prices is shown: %s', async (_, date, text) => {
  stubCache({ date: date.toUTCString() })
  expect(await renderNotice()).toBe(text)
  expect(cacheLookups).toEqual([`${catalogueCache} /api/customer/jobs/1/packages?orderMethod=gallery`])
})

test.each([
  ['nothing is cached', null],
  ['the response has no date', {}],
])('no age is shown if %s', async (_, headers) => {
  stubCache(headers)
  expect(await renderNotice()).toBe('')
})

test('online, the age is neither shown nor looked up', async () => {
  online.set(true)
  stubCache({ date: now.toUTCString() })
  expect(await renderNotice()).toBe('')
  expect(cacheLookups).toEqual([])
})

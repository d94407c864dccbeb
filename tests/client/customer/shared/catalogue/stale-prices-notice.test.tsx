import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StalePricesNotice } from '#client/customer/shared/catalogue/stale-prices-notice.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { catalogueCache } from '#local/store/cache-names.ts'
import { online } from '#platform/online.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const now = new Date(2027, 2, 9, 16, 20)
let asked: string[]

/** The cached packages, with the server's date. */
const keeps = (headers: Record<string, string> | null) =>
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      match: async (address: string) => {
        asked.push(`${name} ${address}`)
        return headers ? new Response('[]', { headers }) : undefined
      },
    }),
  })

const shown = async () => {
  const { box } = render(
    <JobContext value={springJobContext()}>
      <StalePricesNotice className="note" />
    </JobContext>,
  )
  // Its chunk is loaded first.
  await act(async () => void (await import('#client/customer/shared/catalogue/stale-prices-text.tsx')))
  await act(async () => undefined)
  return box.textContent
}

beforeEach(() => {
  asked = []
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
])('offline, the age of the prices is shown: %s', async (_, date, words) => {
  keeps({ date: date.toUTCString() })
  expect(await shown()).toBe(words)
  expect(asked).toEqual([`${catalogueCache} /api/customer/jobs/1/packages?orderMethod=gallery`])
})

test.each([
  ['nothing is cached', null],
  ['the response has no date', {}],
])('no age is shown if %s', async (_, headers) => {
  keeps(headers)
  expect(await shown()).toBe('')
})

test('online, the age is neither shown nor looked up', async () => {
  online.set(true)
  keeps({ date: now.toUTCString() })
  expect(await shown()).toBe('')
  expect(asked).toEqual([])
})

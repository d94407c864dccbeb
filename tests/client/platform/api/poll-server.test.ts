// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { getCart } from '#contract/customer/cart-calls.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The times of health checks in seconds, on a page whose first call got no response. */
const failFirstCall = async ({ isReachable }: { isReachable: (url: string) => boolean }) => {
  vi.resetModules()
  vi.useFakeTimers()
  const start = Date.now()
  const checks: number[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/health')) checks.push((Date.now() - start) / 1000)
    if (!isReachable(url)) throw new TypeError('Failed to fetch')
    return Response.json({ data: { status: 'ok', build: '1' } })
  })
  const { callApiWithoutRecovery } = await import('#platform/api/api.ts')
  const { online } = await import('#platform/online.ts')
  const callAgain = () => callApiWithoutRecovery(getCart, { params: { jobId: 1 }, query: { orderMethod: 'gallery' } })
  await callAgain()
  return { checks, online, callAgain }
}

test('a lost response is followed by a check after three seconds, which reports that the server is back', async () => {
  let reachable = false
  const { checks, online } = await failFirstCall({ isReachable: () => reachable })
  expect(online.current()).toBe(false)
  reachable = true
  await vi.advanceTimersByTimeAsync(3_000)
  expect(checks).toEqual([3])
  expect(online.current()).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(checks).toEqual([3])
})

test('a server that stays unreachable is checked less and less, at least every ten seconds', async () => {
  const { checks } = await failFirstCall({ isReachable: () => false })
  await vi.advanceTimersByTimeAsync(45_000)
  expect(checks).toEqual([3, 9, 19, 29, 39])
})

test('a server that answers checks but no calls is checked less and less too', async () => {
  const { checks, online, callAgain } = await failFirstCall({ isReachable: (url) => url.endsWith('/health') })
  const stop = online.subscribe(() => {
    if (online.current()) void callAgain()
  })
  await vi.advanceTimersByTimeAsync(30_000)
  stop()
  expect(checks).toEqual([3, 9, 19, 29])
})

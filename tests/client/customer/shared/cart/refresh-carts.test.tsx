import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useCartsLoading, useRefreshCarts } from '#client/customer/shared/cart/refresh-carts.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { emptyCart } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { readCart } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { addLine } from '#support/device/add-line.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { lineOf, noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

let now = 0
let jobId = 100
let requestedUrls: string[]
let respondToList: () => Promise<Response>
const serverCarts = new Map<OrderMethod, ReturnType<typeof emptyCart>>()
const switchOrderMethod = vi.fn()

const jobContext = (overrides: Partial<JobContextValue> = {}) =>
  springJobContext({ jobId, switchOrderMethod, ...overrides })

const Screen = ({ context }: { context: JobContextValue | null }) => {
  useRefreshCarts(context)
  return <i>{useCartsLoading() ? 'loading' : 'loaded'}</i>
}

const data = (content: unknown) => new Response(JSON.stringify({ data: content }))

const waitUntilLoaded = () => waitForPage(() => expect(document.body.textContent).toBe('loaded'))

const makeVisible = () => act(() => void document.dispatchEvent(new Event('visibilitychange')))
const listRequestCount = () => requestedUrls.filter((url) => url.endsWith('/carts')).length

beforeEach(async () => {
  await database.delete()
  await database.open()
  jobId += 1
  requestedUrls = []
  serverCarts.clear()
  switchOrderMethod.mockReset()
  online.set(true)
  respondToList = async () =>
    data([...serverCarts.values()].map(({ orderMethod, id, version }) => ({ orderMethod, id, version })))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(String(url))
    const [, method] = /cart\?orderMethod=(\w+)/.exec(String(url)) ?? []
    return method ? data(serverCarts.get(method as OrderMethod)) : await respondToList()
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const putAtServer = (orderMethod: OrderMethod) => {
  const line = { ...lineOf(packageOf()), lineId: `line of ${jobId}` }
  serverCarts.set(orderMethod, { ...emptyCart(jobId, orderMethod), id: 5, version: 2, cartPackages: [line] })
}

describe('the carts of a job', () => {
  test('are restored on a device that lost them, and not reported as empty before', async () => {
    putAtServer('gallery')
    render(<Screen context={jobContext()} />)
    expect(document.body.textContent).toBe('loading')
    await waitUntilLoaded()
    expect((await readCart(database, jobId, 'gallery')).packageCount).toBe(1)
    expect(switchOrderMethod).not.toHaveBeenCalled()
  })

  test('become the current cart if they have content, whatever the order method', async () => {
    putAtServer('prepay')
    render(<Screen context={jobContext()} />)
    await waitUntilLoaded()
    expect(switchOrderMethod).toHaveBeenCalledWith('prepay')
  })

  test('are requested once, and again when the page becomes visible after a while', async () => {
    const { rerender } = render(<Screen context={jobContext()} />)
    await waitUntilLoaded()
    rerender(<Screen context={jobContext({ closedReason: 'Ordering is over' })} />)
    makeVisible()
    now += 10_000
    makeVisible()
    expect(listRequestCount()).toBe(1)
    now += 1
    makeVisible()
    await waitForPage(() => expect(listRequestCount()).toBe(2))
    // The carts are known by now, so the screen does not show that they are loading.
    expect(document.body.textContent).toBe('loaded')
  })

  test('are not requested while hidden or offline, but once online', async () => {
    online.set(false)
    render(<Screen context={jobContext()} />)
    expect([listRequestCount(), document.body.textContent]).toEqual([0, 'loaded'])
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => online.set(true))
    expect(listRequestCount()).toBe(0)
    visibility.mockRestore()
    makeVisible()
    await waitUntilLoaded()
    expect(listRequestCount()).toBe(1)
  })

  test('are requested again after a failure when the network returns', async () => {
    const successfulResponse = respondToList
    respondToList = async () => Promise.reject(new TypeError('no network'))
    putAtServer('gallery')
    render(<Screen context={jobContext()} />)
    await waitUntilLoaded()
    expect(listRequestCount()).toBe(1)
    respondToList = successfulResponse
    act(() => online.set(true))
    await waitUntilLoaded()
    await waitForPage(async () => expect((await readCart(database, jobId, 'gallery')).packageCount).toBe(1))
  })

  test('are not refreshed while changes are waiting to be sent', async () => {
    putAtServer('gallery')
    const owner = { subjectId: 7, personId: null }
    const newLine = { jobId, orderMethod: 'gallery', ...owner, quantity: 1, content: noContent } as const
    await addLine(database, stamp, { ...newLine, snapshot: snapshotOf(packageOf()) })
    render(<Screen context={jobContext()} />)
    await waitUntilLoaded()
    expect(requestedUrls.map((url) => url.split('/').at(-1))).toEqual(['carts'])
  })

  test('are not requested for a job without access', async () => {
    render(<Screen context={null} />)
    expect([listRequestCount(), document.body.textContent]).toEqual([0, 'loaded'])
  })
})

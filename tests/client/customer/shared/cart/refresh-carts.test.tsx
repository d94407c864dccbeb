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
import { lineOf, noContent, packageOf, snapshotOf } from '../../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../../job-context-examples.ts'

let now = 0
let jobId = 100
let asked: string[]
let answers: () => Promise<Response>
const atServer = new Map<OrderMethod, ReturnType<typeof emptyCart>>()
const chosen = vi.fn()

const event = (own: Partial<JobContextValue> = {}) => springJobContext({ jobId, chooseOrderMethod: chosen, ...own })

const Screen = ({ of }: { of: JobContextValue | null }) => {
  useRefreshCarts(of)
  return <i>{useCartsLoading() ? 'arriving' : 'settled'}</i>
}

const data = (found: unknown) => new Response(JSON.stringify({ data: found }))

const settled = () => waitForPage(() => expect(document.body.textContent).toBe('settled'))

const seen = () => act(() => void document.dispatchEvent(new Event('visibilitychange')))
const looks = () => asked.filter((one) => one.endsWith('/carts')).length

beforeEach(async () => {
  await database.delete()
  await database.open()
  jobId += 1
  asked = []
  atServer.clear()
  chosen.mockReset()
  online.set(true)
  answers = async () =>
    data([...atServer.values()].map(({ orderMethod, id, version }) => ({ orderMethod, id, version })))
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(String(url))
    const [, method] = /cart\?orderMethod=(\w+)/.exec(String(url)) ?? []
    return method ? data(atServer.get(method as OrderMethod)) : await answers()
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const putAtServer = (orderMethod: OrderMethod) => {
  const line = { ...lineOf(packageOf()), lineId: `line of ${jobId}` }
  atServer.set(orderMethod, { ...emptyCart(jobId, orderMethod), id: 5, version: 2, cartPackages: [line] })
}

describe('the carts of a job', () => {
  test('are restored on a device that lost them, and not reported as empty before', async () => {
    putAtServer('gallery')
    render(<Screen of={event()} />)
    expect(document.body.textContent).toBe('arriving')
    await settled()
    expect((await readCart(database, jobId, 'gallery')).packageCount).toBe(1)
    expect(chosen).not.toHaveBeenCalled()
  })

  test('become the current cart if they have content, whatever the order method', async () => {
    putAtServer('prepay')
    render(<Screen of={event()} />)
    await settled()
    expect(chosen).toHaveBeenCalledWith('prepay')
  })

  test('are requested once, and again when the page becomes visible after a while', async () => {
    const { again } = render(<Screen of={event()} />)
    await settled()
    again(<Screen of={event({ closed: 'Ordering is over' })} />)
    seen()
    now += 10_000
    seen()
    expect(looks()).toBe(1)
    now += 1
    seen()
    await waitForPage(() => expect(looks()).toBe(2))
    // Nothing is missing any more: an empty cart stays on the screen meanwhile.
    expect(document.body.textContent).toBe('settled')
  })

  test('are not requested while hidden or offline, but once online', async () => {
    online.set(false)
    render(<Screen of={event()} />)
    expect([looks(), document.body.textContent]).toEqual([0, 'settled'])
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => online.set(true))
    expect(looks()).toBe(0)
    hidden.mockRestore()
    seen()
    await settled()
    expect(looks()).toBe(1)
  })

  test('are requested again after a failure, without a message', async () => {
    const listed = answers
    answers = async () => Promise.reject(new TypeError('no network'))
    putAtServer('gallery')
    render(<Screen of={event()} />)
    await settled()
    expect(looks()).toBe(1)
    answers = listed
    act(() => online.set(true))
    await settled()
    await waitForPage(async () => expect((await readCart(database, jobId, 'gallery')).packageCount).toBe(1))
  })

  test('are not refreshed while changes are waiting to be sent', async () => {
    putAtServer('gallery')
    const owner = { subjectId: 7, personId: null }
    const made = { jobId, orderMethod: 'gallery', ...owner, quantity: 1, content: noContent } as const
    await addLine(database, stamp, { ...made, snapshot: snapshotOf(packageOf()) })
    render(<Screen of={event()} />)
    await settled()
    expect(asked.map((one) => one.split('/').at(-1))).toEqual(['carts'])
  })

  test('are not requested for a job without access', async () => {
    render(<Screen of={null} />)
    expect([looks(), document.body.textContent]).toEqual([0, 'settled'])
  })
})

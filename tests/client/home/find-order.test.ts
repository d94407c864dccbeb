// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findOrder } from '#client/home/find-order.ts'
import { readOrder } from '#local/store/stored-orders.ts'
import { database } from '#platform/database.ts'
import { order } from '../customer/orders/order-examples.ts'
import { springJobContext } from '../job-context-examples.ts'

const { orderNumber } = order
const searchUrl = `/api/customer/cart/search/?orderNumber=${orderNumber}&email=ada%40lovelace.test`
const searchModel = { orderNumber, email: 'ada@lovelace.test' }
const notFoundResponse = { status: 404, body: { errors: ['Could not find this order'], problem: 'not-found' } }

let requestedUrls: string[] = []
let responses: Record<string, { status: number; body: object }>

beforeEach(async () => {
  await database.orders.clear()
  requestedUrls = []
  responses = {
    [searchUrl]: { status: 200, body: { data: { jobId: 1, orderNumber, order } } },
    '/api/customer/jobs/1': { status: 200, body: { data: springJobContext().job } },
  }
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(url)
    const { status, body } = responses[url] ?? notFoundResponse
    return new Response(JSON.stringify(body), { status })
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a found order is stored on the device, its job is looked up, and its own URL is returned (section 4)', async () => {
  expect(await findOrder(searchModel)).toEqual({ address: `/riverside/1/order/${orderNumber}` })
  expect(requestedUrls).toEqual([searchUrl, '/api/customer/jobs/1'])
  expect((await readOrder(database, orderNumber))?.order).toEqual(order)
})

test('an order the server does not have is not found, and no job is looked up', async () => {
  responses = {}
  expect(await findOrder(searchModel)).toBe('not-found')
  expect(requestedUrls).toEqual([searchUrl])
})

test('an order whose job does not exist is not found', async () => {
  responses['/api/customer/jobs/1'] = notFoundResponse
  expect(await findOrder(searchModel)).toBe('not-found')
})

const tooMany = { errors: ['Too many tries. Please wait a moment'], problem: 'slow-down' }

test.each([
  ['the server fails', 500, { errors: ['An error occurred'], problem: 'unexpected' }, /went wrong on our side/],
  ['a proxy fails', 502, {}, /went wrong on our side/],
  ['there were too many requests', 429, tooMany, /^Too many tries\. Please wait a moment/],
])(
  'if %s during the search or the job look-up, the reason is shown, not that the order does not exist',
  async (_, status, body, message) => {
    for (const failingUrl of [searchUrl, '/api/customer/jobs/1']) {
      const previousResponses = responses
      responses = { ...responses, [failingUrl]: { status, body } }
      expect(await findOrder(searchModel)).toEqual({ failure: expect.stringMatching(message) })
      responses = previousResponses
    }
  },
)

const unknownSession = { errors: ['We do not know this visit any more'], problem: 'session-unknown' }
const otherOrigin = { errors: ['This request came from another site'], problem: 'not-allowed' }

test.each([
  ['the job look-up has no session, e.g. with cookies blocked', '/api/customer/jobs/1', 401, unknownSession],
  ['the server rejects the search', searchUrl, 403, otherOrigin],
])('if %s, the server’s message is shown, not that the order does not exist', async (_, failingUrl, status, body) => {
  responses = { ...responses, [failingUrl]: { status, body } }
  expect(await findOrder(searchModel)).toEqual({ failure: body.errors[0] })
})

test('a number or address the server cannot parse is reported as not found', async () => {
  responses = { [searchUrl]: { status: 400, body: { errors: ['Some of this is not valid'], problem: 'bad-request' } } }
  expect(await findOrder(searchModel)).toBe('not-found')
})

test.each([
  ['is offline', false, /^There is no connection right now/],
  ['gets no response', true, /^There was no answer/],
])('a device that %s reports that, not that the order does not exist', async (_, onLine, message) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
  expect(await findOrder(searchModel)).toEqual({ failure: expect.stringMatching(message) })
  vi.restoreAllMocks()
})

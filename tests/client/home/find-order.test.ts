// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findOrder } from '#client/home/find-order.ts'
import { readOrder } from '#local/checkout.ts'
import { database } from '#platform/database.ts'
import { order } from '../customer/orders/order-examples.ts'
import { springJobContext } from '../job-context-examples.ts'

const { orderNumber } = order
const search = `/api/customer/cart/search/?orderNumber=${orderNumber}&email=ada%40lovelace.test`
const model = { orderNumber, email: 'ada@lovelace.test' }
const nothing = { status: 404, said: { errors: ['Could not find this order'], problem: 'not-found' } }

let asked: string[] = []
let answers: Record<string, { status: number; said: object }>

beforeEach(async () => {
  await database.orders.clear()
  asked = []
  answers = {
    [search]: { status: 200, said: { data: { jobId: 1, orderNumber, order } } },
    '/api/customer/jobs/1': { status: 200, said: { data: springJobContext().job } },
  }
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const { status, said } = answers[url] ?? nothing
    return new Response(JSON.stringify(said), { status })
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a found order is stored on the device, its job is looked up, and its own URL is returned (section 4)', async () => {
  expect(await findOrder(model)).toEqual({ address: `/riverside/1/order/${orderNumber}` })
  expect(asked).toEqual([search, '/api/customer/jobs/1'])
  expect((await readOrder(database, orderNumber))?.order).toEqual(order)
})

test('an order the server does not have is not found, and no job is looked up', async () => {
  answers = {}
  expect(await findOrder(model)).toBe('not-found')
  expect(asked).toEqual([search])
})

test('an order whose job does not exist is not found', async () => {
  answers['/api/customer/jobs/1'] = nothing
  expect(await findOrder(model)).toBe('not-found')
})

const tooMany = { errors: ['Too many tries. Please wait a moment'], problem: 'slow-down' }

test.each([
  ['the server fails', 500, { errors: ['An error occurred'], problem: 'unexpected' }, /went wrong on our side/],
  ['a proxy fails', 502, {}, /went wrong on our side/],
  ['there were too many requests', 429, tooMany, /^Too many tries\. Please wait a moment/],
])(
  'when %s, the search or the job look-up says so and never that the order does not exist',
  async (_, status, said, words) => {
    for (const failing of [search, '/api/customer/jobs/1']) {
      const before = answers
      answers = { ...answers, [failing]: { status, said } }
      expect(await findOrder(model)).toEqual({ failure: expect.stringMatching(words) })
      answers = before
    }
  },
)

const noVisit = { errors: ['We do not know this visit any more'], problem: 'session-unknown' }
const fromElsewhere = { errors: ['This request came from another site'], problem: 'not-allowed' }

test.each([
  ['the job look-up has no session, e.g. with cookies blocked', '/api/customer/jobs/1', 401, noVisit],
  ['the server rejects the search', search, 403, fromElsewhere],
])('when %s, the server’s message is shown and not that the order does not exist', async (_, failing, status, said) => {
  answers = { ...answers, [failing]: { status, said } }
  expect(await findOrder(model)).toEqual({ failure: said.errors[0] })
})

test('a number or address the server cannot parse is reported as not found', async () => {
  answers = { [search]: { status: 400, said: { errors: ['Some of this is not valid'], problem: 'bad-request' } } }
  expect(await findOrder(model)).toBe('not-found')
})

test.each([
  ['is offline', false, /^There is no connection right now/],
  ['gets no response', true, /^There was no answer/],
])('a device that %s says so, and not that the order does not exist', async (_, onLine, words) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
  expect(await findOrder(model)).toEqual({ failure: expect.stringMatching(words) })
  vi.restoreAllMocks()
})

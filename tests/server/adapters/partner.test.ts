import { afterAll, beforeAll, expect, it } from 'vitest'
import { manualReviewPartner, testPartner, unknownAccountMessage } from '#server/adapters/partner-built-in.ts'
import { httpPartner } from '#server/adapters/partner-http.ts'
import type { Log } from '#server/database/database.ts'
import { silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

let service: Awaited<ReturnType<typeof startFakeJsonService>>
beforeAll(async () => {
  service = await startFakeJsonService()
})
afterAll(() => service.close())

const account = { accountNumber: '4600100', password: 'partner-demo' }

it.each([
  ['4600100', 'partner-demo', { state: 'verified' }],
  ['4600200', 'partner-demo', { state: 'verified' }],
  ['4600100', 'other', { state: 'refused', reason: unknownAccountMessage }],
  ['constructor', 'partner-demo', { state: 'refused', reason: unknownAccountMessage }],
  ['4600900', 'any', { state: 'waiting' }],
] as const)(
  'the built-in partner answers the account %s with the password %j: %j',
  async (accountNumber, password, answer) => {
    expect(await testPartner.verify({ accountNumber, password })).toEqual(answer)
  },
)

it('every request waits if the manual-review adapter is used', async () => {
  expect(await manualReviewPartner.verify(account)).toEqual({ state: 'waiting' })
})

const request = (answer: ServiceResponse, log: Log = silentLog) => {
  service.respond = () => answer
  return httpPartner({ url: service.url, token: 'ours' }, log).verify(account)
}

it.each([
  ['a verification', { status: 200, body: { verified: true } }, { state: 'verified' }],
  ['a refusal', { status: 200, body: { verified: false } }, { state: 'refused', reason: unknownAccountMessage }],
  [
    'a refusal with a reason',
    { status: 200, body: { verified: false, message: 'Closed' } },
    { state: 'refused', reason: 'Closed' },
  ],
  ['an unexpected body', { status: 200, body: { good: 1 } }, { state: 'unreachable' }],
  ['an error', { status: 500, body: {} }, { state: 'unreachable' }],
  ['cut off', 'cut', { state: 'unreachable' }],
] as const)('the HTTP adapter handles a response of the partner that is %s', async (_, answer, expected) => {
  expect(await request(answer)).toEqual(expected)
  expect(service.receivedRequests.at(-1)).toEqual({ authorization: 'Bearer ours', body: account })
})

it('the password is never written to the log', async () => {
  const lines: unknown[] = []
  await request('cut', { ...silentLog, warn: (...line: unknown[]) => void lines.push(line) })
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).not.toContain(account.password)
})

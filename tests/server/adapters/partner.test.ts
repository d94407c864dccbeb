import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpPartner } from '#server/adapters/partner-http.ts'
import { manualReviewPartner } from '#server/adapters/partner-manual-review.ts'
import { testPartner, unknownAccountMessage } from '#server/adapters/partner-test.ts'
import type { Log } from '#server/database/database.ts'
import { silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

let peer: Awaited<ReturnType<typeof startFakeJsonService>>
beforeAll(async () => {
  peer = await startFakeJsonService()
})
afterAll(() => peer.close())

const account = { accountNumber: '4600100', password: 'partner-demo' }

it.each([
  ['4600100', 'partner-demo', { state: 'verified' }],
  ['4600200', 'partner-demo', { state: 'verified' }],
  ['4600100', 'other', { state: 'refused', reason: unknownAccountMessage }],
  ['constructor', 'partner-demo', { state: 'refused', reason: unknownAccountMessage }],
  ['4600900', 'any', { state: 'waiting' }],
] as const)('the built-in partner answers for %s and %j: %j', async (accountNumber, password, answer) => {
  expect(await testPartner.verify({ accountNumber, password })).toEqual(answer)
})

it('every request waits with the manual-review adapter', async () => {
  expect(await manualReviewPartner.verify(account)).toEqual({ state: 'waiting' })
})

const ask = (answer: ServiceResponse, log: Log = silentLog) => {
  peer.answer = () => answer
  return httpPartner({ url: peer.url, token: 'ours' }, log).verify(account)
}

it.each([
  ['yes', { status: 200, body: { verified: true } }, { state: 'verified' }],
  ['no', { status: 200, body: { verified: false } }, { state: 'refused', reason: unknownAccountMessage }],
  [
    'no, and why',
    { status: 200, body: { verified: false, message: 'Closed' } },
    { state: 'refused', reason: 'Closed' },
  ],
  ['something else', { status: 200, body: { good: 1 } }, { state: 'unreachable' }],
  ['an error', { status: 500, body: {} }, { state: 'unreachable' }],
  ['nothing', 'cut', { state: 'unreachable' }],
] as const)('a partner that answers %s is handled', async (_, answer, expected) => {
  expect(await ask(answer)).toEqual(expected)
  expect(peer.heard.at(-1)).toEqual({ authorization: 'Bearer ours', body: account })
})

it('the password is never written to the log', async () => {
  const lines: unknown[] = []
  await ask('cut', { ...silentLog, warn: (...line: unknown[]) => void lines.push(line) })
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).not.toContain(account.password)
})

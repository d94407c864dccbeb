import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { httpAddressCheck } from '#server/adapters/address-http.ts'
import { silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

const given = { address1: '1 mill st', address2: '', city: 'Dayton', state: 'OH', zip: '45402' }
const better = { ...given, address1: '1 Mill Street', zip: '45402-1234' }
let peer: Awaited<ReturnType<typeof startFakeJsonService>>
beforeAll(async () => {
  peer = await startFakeJsonService()
})
beforeEach(() => {
  peer.heard.length = 0
})
afterAll(() => peer.close())

const check = async (answer: ServiceResponse, address = given) => {
  peer.answer = () => answer
  return await httpAddressCheck({ url: peer.url, token: undefined }, silentLog).check(address)
}
const ok = (body: object): ServiceResponse => ({ status: 200, body })

it.each([
  ['knows it', ok({ deliverable: true }), { faults: {}, suggestion: null, doubt: null }],
  [
    'writes it otherwise',
    ok({ deliverable: true, suggestion: better }),
    { faults: {}, suggestion: better, doubt: null },
  ],
  [
    'writes it alike, but for case',
    ok({ deliverable: true, suggestion: { ...given, city: 'DAYTON' } }),
    { faults: {}, suggestion: null, doubt: null },
  ],
  [
    'knows a better one alone',
    ok({ deliverable: false, suggestion: better }),
    { faults: {}, suggestion: better, doubt: null },
  ],
  [
    'does not know it',
    ok({ deliverable: false, message: 'No such house' }),
    { faults: {}, suggestion: null, doubt: 'No such house' },
  ],
  [
    'does not know it, and does not say why',
    ok({ deliverable: false }),
    { faults: {}, suggestion: null, doubt: 'The post does not know this address. Please look at it once more' },
  ],
  [
    'suggests what none of ours could be',
    ok({ deliverable: true, suggestion: { ...better, state: 'Ohio' } }),
    { faults: {}, suggestion: null, doubt: null },
  ],
  [
    'tells more than was asked',
    ok({ deliverable: true, suggestion: { ...better, country: 'US', confidence: 0.9 } }),
    { faults: {}, suggestion: better, doubt: null },
  ],
  ['is out of order', { status: 500, body: {} }, { faults: {}, suggestion: null, doubt: null }],
  ['hangs up', 'cut', { faults: {}, suggestion: null, doubt: null }],
  ['speaks of something else', ok({ hello: 'world' }), { faults: {}, suggestion: null, doubt: null }],
] satisfies [string, ServiceResponse, object][])(
  'an address for which the service %s is handled',
  async (_name, answer, checked) => {
    expect(await check(answer)).toEqual(checked)
    expect(peer.heard.map(({ body }) => body)).toEqual([given])
  },
)

it('an address with a wrong form is refused without a request', async () => {
  const { faults } = await check(ok({ deliverable: true }), { ...given, zip: '90210' })
  expect(faults).toEqual({ zip: 'This ZIP code is not in OH' })
  expect(peer.heard).toEqual([])
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { httpAddressCheck } from '#server/adapters/address-http.ts'
import { silentLog } from '#support/database/test-database.ts'
import { type ServiceResponse, startFakeJsonService } from '#support/server/fake-json-service.ts'

const enteredAddress = { address1: '1 mill st', address2: '', city: 'Dayton', state: 'OH', zip: '45402' }
const suggestedAddress = { ...enteredAddress, address1: '1 Mill Street', zip: '45402-1234' }
let service: Awaited<ReturnType<typeof startFakeJsonService>>
beforeAll(async () => {
  service = await startFakeJsonService()
})
beforeEach(() => {
  service.receivedRequests.length = 0
})
afterAll(() => service.close())

const check = async (response: ServiceResponse, address = enteredAddress) => {
  service.respond = () => response
  return await httpAddressCheck({ url: service.url, token: undefined }, silentLog).check(address)
}
const okResponse = (body: object): ServiceResponse => ({ status: 200, body })

it.each([
  ['knows the address', okResponse({ deliverable: true }), { faults: {}, suggestion: null, warning: null }],
  [
    'spells the address differently',
    okResponse({ deliverable: true, suggestion: suggestedAddress }),
    { faults: {}, suggestion: suggestedAddress, warning: null },
  ],
  [
    'spells the address differently only in case',
    okResponse({ deliverable: true, suggestion: { ...enteredAddress, city: 'DAYTON' } }),
    { faults: {}, suggestion: null, warning: null },
  ],
  [
    'knows only a similar address',
    okResponse({ deliverable: false, suggestion: suggestedAddress }),
    { faults: {}, suggestion: suggestedAddress, warning: null },
  ],
  [
    'does not know the address',
    okResponse({ deliverable: false, message: 'No such house' }),
    { faults: {}, suggestion: null, warning: 'No such house' },
  ],
  [
    'does not know the address and gives no reason',
    okResponse({ deliverable: false }),
    { faults: {}, suggestion: null, warning: 'We couldn’t find this address. Please check it' },
  ],
  [
    'suggests an invalid address',
    okResponse({ deliverable: true, suggestion: { ...suggestedAddress, state: 'Ohio' } }),
    { faults: {}, suggestion: null, warning: null },
  ],
  [
    'returns additional fields',
    okResponse({ deliverable: true, suggestion: { ...suggestedAddress, country: 'US', confidence: 0.9 } }),
    { faults: {}, suggestion: suggestedAddress, warning: null },
  ],
  ['responds with an error', { status: 500, body: {} }, { faults: {}, suggestion: null, warning: null }],
  ['closes the connection', 'cut', { faults: {}, suggestion: null, warning: null }],
  ['returns an unexpected body', okResponse({ hello: 'world' }), { faults: {}, suggestion: null, warning: null }],
] satisfies [string, ServiceResponse, object][])(
  'the address check handles a service that %s',
  async (_name, response, expected) => {
    expect(await check(response)).toEqual(expected)
    expect(service.receivedRequests.map(({ body }) => body)).toEqual([enteredAddress])
  },
)

it('a ZIP code outside the address’s state is a fault, and the service is not called', async () => {
  const { faults } = await check(okResponse({ deliverable: true }), { ...enteredAddress, zip: '90210' })
  expect(faults).toEqual({ zip: 'This ZIP code is not in OH' })
  expect(service.receivedRequests).toEqual([])
})

import { expect, it } from 'vitest'
import { usStates } from '#domain/shared/us-states.ts'
import { addressRules } from '#server/adapters/address-rules.ts'

const baseAddress = { address1: '1 Mill Street', address2: '', city: 'Dayton', state: 'OH', zip: '45402' }

it.each([
  [{ state: 'OH', zip: '45402' }, {}],
  [{ state: ' oh ', zip: '45402-1234 ' }, {}],
  [{ state: 'AE', zip: '09001' }, {}],
  [{ state: 'TX', zip: '88510' }, {}],
  [{ state: 'OH', zip: '90210' }, { zip: 'This ZIP code is not in OH' }],
  [{ state: 'OH', zip: '4540' }, { zip: 'This value is not a valid ZIP code' }],
  [{ state: 'XX', zip: '45402' }, { state: 'This value is not a state we know' }],
])('for %o the rules find the faults %o', async (address, faults) => {
  expect((await addressRules.check({ ...baseAddress, ...address })).faults).toEqual(faults)
})

it.each([
  [
    { city: 'apo', state: 'AP', zip: '09001' },
    { city: 'APO', state: 'AE', zip: '09001' },
  ],
  [
    { city: 'FPO', state: 'CA', zip: '96349' },
    { city: 'FPO', state: 'AP', zip: '96349' },
  ],
  [{ city: 'Apo', state: 'ae', zip: '09001' }, null],
  [{ city: ' Dayton ', state: 'oh', zip: '45402' }, null],
  [{ city: 'Dayton', state: 'OH', zip: '90210' }, null],
])('for %o the rules suggest %o', async (address, expectedChange) => {
  const { suggestion } = await addressRules.check({ ...baseAddress, ...address })
  expect(suggestion).toEqual(expectedChange && { ...baseAddress, ...expectedChange })
})

it('the rules know a ZIP code for every state', async () => {
  for (const { code } of usStates) {
    const checked = await Promise.all(
      [...'0123456789'].map((digit) => addressRules.check({ ...baseAddress, state: code, zip: `${digit}0000` })),
    )
    expect([code, checked.some(({ faults }) => faults.zip === undefined)]).toEqual([code, true])
  }
})

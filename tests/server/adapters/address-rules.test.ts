import { expect, it } from 'vitest'
import { usStates } from '../../../src/domain/us-states.ts'
import { addressRules } from '../../../src/server/adapters/address-rules.ts'

it.each([
  [{ state: 'OH', zip: '45402' }, {}],
  [{ state: ' oh ', zip: '45402-1234 ' }, {}],
  [{ state: 'AE', zip: '09001' }, {}],
  [{ state: 'TX', zip: '88510' }, {}],
  [{ state: 'OH', zip: '90210' }, { zip: 'This ZIP code is not in OH' }],
  [{ state: 'OH', zip: '4540' }, { zip: 'This value is not a valid ZIP code' }],
  [{ state: 'XX', zip: '45402' }, { state: 'This value is not a state we know' }],
])('checks %o', async (address, faults) => {
  expect(await addressRules.check(address)).toEqual(faults)
})

it('knows a ZIP code for every state', async () => {
  for (const { code } of usStates) {
    const faults = await Promise.all(
      [...'0123456789'].map((digit) => addressRules.check({ state: code, zip: `${digit}0000` })),
    )
    expect([code, faults.some(({ zip }) => zip === undefined)]).toEqual([code, true])
  }
})

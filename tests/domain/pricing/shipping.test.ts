import { describe, expect, test } from 'vitest'
import { batchShippingLabel, isMilitary, offeredShipping } from '#domain/pricing/shipping.ts'
import { isPostalCode, isStateCode, usStates } from '#domain/shared/us-states.ts'

describe('military addresses (section 9)', () => {
  test.each([
    ['APO', 'AE', true],
    ['fpo', 'ap', true],
    ['DPO', 'AA', true],
    ['APO', '', true],
    ['Apo AE 09123', 'NY', true],
    ['Somewhere', ' ae ', true],
    [' APO', 'NY', true],
    ['Fort APO', 'NY', false],
    ['Apollo', 'PA', false],
    ['Portland', 'OR', false],
    ['', '', false],
  ])('the city %j in the state %j is military: %s', (city, state, expected) =>
    expect(isMilitary({ city, state })).toBe(expected),
  )

  test('a military address is offered only priority shipping, and any other address all options', () => {
    const options = [{ code: 'standard' }, { code: 'priority' }]
    expect(offeredShipping(options, { city: 'APO', state: 'AE' })).toEqual([{ code: 'priority' }])
    expect(offeredShipping(options, { city: 'Salem', state: 'OR' })).toEqual(options)
  })
})

test('the shipping of a batch is called "Studio Shipping" (section 9)', () =>
  expect(batchShippingLabel).toBe('Studio Shipping'))

describe('states', () => {
  test('each state code is unique and has two letters', () => {
    expect(usStates).toHaveLength(50 + 1 + 5 + 3)
    expect(new Set(usStates.map((state) => state.code)).size).toBe(usStates.length)
    for (const { code } of usStates) expect(code).toMatch(/^[A-Z]{2}$/)
  })
  test.each([
    ['or', true],
    [' AE', true],
    ['XX', false],
    ['', false],
  ])('%j is a state code: %s', (typed, expected) => expect(isStateCode(typed)).toBe(expected))
  test.each([
    ['97301', true],
    ['97301-1234', true],
    [' 97301 ', true],
    ['9730', false],
    ['97301-12', false],
    ['973011', false],
    ['x97301', false],
    ['97301-1234x', false],
    ['ABCDE', false],
  ])('%j is a postal code: %s', (typed, expected) => expect(isPostalCode(typed)).toBe(expected))
})

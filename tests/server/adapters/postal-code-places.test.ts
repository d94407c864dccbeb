import { expect, test } from 'vitest'
import { placeOfPostalCode } from '#server/adapters/postal-code-places.ts'

test.each([
  ['45402', { city: 'Dayton', state: 'OH' }],
  ['10001', { city: 'New York', state: 'NY' }],
  ['00601', { city: 'Adjuntas', state: 'PR' }],
  ['99553', { city: 'Akutan', state: 'AK' }],
  ['00000', null],
  ['1000', null],
  ['', null],
])('the place of the ZIP code %j is %j', async (zip, place) => {
  expect(await placeOfPostalCode(zip)).toEqual(place)
})

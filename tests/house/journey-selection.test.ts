import { expect, test } from 'vitest'
import { skippedJourneys } from '#support/journeys/journey-selection.ts'

const files = [
  'faults/a.faults.ts',
  'journeys/b.journey.ts',
  'journeys/customer/customer-order.journey.ts',
  'journeys/engines/x.journey.ts',
]

test('each journey runs in one of the turns, and some run in all of them', () => {
  const walked = [0, 1].map((seed) => {
    const left = skippedJourneys(files, { seed, turns: 2 })
    return files.filter((file) => !left.includes(file))
  })
  const [one = [], other = []] = walked
  expect(new Set([...one, ...other])).toEqual(new Set(files))
  expect(one.filter((file) => other.includes(file))).toEqual(files.slice(2))
})

test('without turns every journey runs', () => {
  expect(skippedJourneys(files, { seed: 7, turns: 1 })).toEqual([])
})

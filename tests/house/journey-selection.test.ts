import { expect, test } from 'vitest'
import { skippedJourneys } from '#support/journeys/journey-selection.ts'

const files = [
  'faults/a.faults.ts',
  'journeys/b.journey.ts',
  'journeys/customer/customer-order.journey.ts',
  'journeys/engines/x.journey.ts',
]

test('each journey runs in at least one turn, and some journeys run in every turn', () => {
  const runs = [0, 1].map((seed) => {
    const skipped = skippedJourneys(files, { seed, turns: 2 })
    return files.filter((file) => !skipped.includes(file))
  })
  const [firstRun = [], secondRun = []] = runs
  expect(new Set([...firstRun, ...secondRun])).toEqual(new Set(files))
  expect(firstRun.filter((file) => secondRun.includes(file))).toEqual(files.slice(2))
})

test('without turns every journey runs', () => {
  expect(skippedJourneys(files, { seed: 7, turns: 1 })).toEqual([])
})

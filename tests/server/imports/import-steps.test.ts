import { expect, test } from 'vitest'
import { nextStepSize } from '#server/imports/import-steps.ts'

test.each([
  { rows: 80, took: 0, next: 160, why: 'at most twice as many' },
  { rows: 200, took: 40, next: 200, why: 'at most the maximum' },
  { rows: 200, took: 400, next: 100, why: 'as many as fit in the target time' },
  { rows: 100, took: 200, next: 100, why: 'the same number after a step of the target time' },
  { rows: 200, took: 6000, next: 100, why: 'at least the minimum' },
])('the step after $rows rows in $took ms processes $next: $why', ({ rows, took, next }) => {
  expect(nextStepSize(rows, took)).toBe(next)
})

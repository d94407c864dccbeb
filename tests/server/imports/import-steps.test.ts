import { expect, test } from 'vitest'
import { nextStepSize } from '#server/imports/import-steps.ts'

test.each([
  { rows: 80, took: 0, next: 160, why: 'twice as many after one that nobody noticed' },
  { rows: 200, took: 40, next: 200, why: 'never more than so many' },
  { rows: 200, took: 400, next: 100, why: 'as many as fit' },
  { rows: 100, took: 200, next: 100, why: 'as many as fitted' },
  { rows: 200, took: 6000, next: 100, why: 'never so few that nothing comes of it' },
])('the step after $rows rows in $took ms processes $next: $why', ({ rows, took, next }) => {
  expect(nextStepSize(rows, took)).toBe(next)
})

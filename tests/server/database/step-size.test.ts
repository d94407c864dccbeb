import { expect, test } from 'vitest'
import { nextStepSize } from '#server/database/in-steps.ts'

test.each([
  { rows: 80, tookMs: 0, nextSize: 160, reason: 'at most twice as many' },
  { rows: 200, tookMs: 40, nextSize: 200, reason: 'at most the maximum' },
  { rows: 200, tookMs: 100, nextSize: 100, reason: 'as many as fit in the target time' },
  { rows: 100, tookMs: 50, nextSize: 100, reason: 'the same number after a step of the target time' },
  { rows: 200, tookMs: 6000, nextSize: 50, reason: 'at least the minimum' },
])('the step after $rows rows in $tookMs ms processes $nextSize: $reason', ({ rows, tookMs, nextSize }) => {
  expect(nextStepSize(rows, tookMs)).toBe(nextSize)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoffDelay, type RetryDecision, retryPolicy } from '#domain/shared/retry-policy.ts'

describe('what a response means for the request', () => {
  test.each<[number | 'unreachable', string | null, RetryDecision]>([
    [200, null, 'done'],
    [201, null, 'done'],
    [204, null, 'done'],
    [304, null, 'done'],
    [399, null, 'done'],
    [499, null, 'rejected'],
    [200, 'unreadable', 'retry'],
    ['unreachable', null, 'retry'],
    [408, null, 'retry'],
    [425, null, 'retry'],
    [429, 'slow-down', 'retry'],
    [500, 'unexpected', 'retry'],
    [502, null, 'retry'],
    [503, 'maintenance', 'retry'],
    [409, 'in-flight', 'retry'],
    [409, 'conflict', 'stale'],
    [409, null, 'stale'],
    [401, 'session-unknown', 'session-unknown'],
    [400, null, 'rejected'],
    [403, null, 'rejected'],
    [404, null, 'rejected'],
    [413, null, 'rejected'],
    [422, 'refused', 'rejected'],
  ])('the status %s with the problem %s means %s', (status, problem, decision) =>
    expect(retryPolicy(status, problem)).toBe(decision),
  )
})

describe('exponential backoff with full jitter from 1 s to 60 s', () => {
  test.each([
    [1, 0, 1_000],
    [1, 1, 2_000],
    [2, 1, 4_000],
    [3, 0.5, 4_500],
    [6, 1, 60_000],
    [1_000_000, 1, 60_000],
    [1_000_000, 0, 1_000],
    [0, 1, 2_000],
  ])('the delay after %d failures with the random number %d is %d ms', (attempts, random, delayMs) =>
    expect(backoffDelay(attempts, random)).toBe(delayMs),
  )

  const randomNumber = fc.double({ min: 0, max: 1, noNaN: true })

  test('the delay is always between a second and a minute', () => {
    fc.assert(
      fc.property(fc.nat(), randomNumber, (attempts, random) => {
        const delayMs = backoffDelay(attempts, random)
        expect(delayMs).toBeGreaterThanOrEqual(1_000)
        expect(delayMs).toBeLessThanOrEqual(60_000)
      }),
    )
  })

  test('a Retry-After is respected, however long, and devices do not retry at the same time', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), randomNumber, fc.integer({ min: 1, max: 7200 }), (attempts, random, seconds) => {
        expect(backoffDelay(attempts, random, seconds)).toBeGreaterThanOrEqual(seconds * 1_000)
      }),
    )
    expect(backoffDelay(1, 0.25, 120)).toBe(120_250)
    expect(backoffDelay(1, 0.75, 120)).toBe(120_750)
  })
})

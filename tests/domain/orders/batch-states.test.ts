import { describe, expect, test } from 'vitest'
import { type BatchState, batchStates, canTransitionBatch } from '#domain/orders/order-states.ts'

describe('batch states', () => {
  const allowedTransitions: readonly `${BatchState} ${BatchState}`[] = [
    'open closed',
    'closed open',
    'closed submitted',
  ]
  const allTransitions = batchStates.flatMap((from) => batchStates.map((to) => [from, to] as const))

  test.each(allTransitions)('a batch changes from %s to %s only if the transition is allowed', (from, to) =>
    expect(canTransitionBatch(from, to)).toBe(allowedTransitions.includes(`${from} ${to}`)),
  )

  test('a submitted batch has no transitions', () => {
    expect(batchStates.filter((to) => canTransitionBatch('submitted', to))).toEqual([])
  })
})

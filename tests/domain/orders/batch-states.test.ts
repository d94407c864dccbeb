import { describe, expect, test } from 'vitest'
import { type BatchState, batchStates, canTransitionBatch } from '#domain/orders/batch-states.ts'

describe('batch states', () => {
  const may: readonly `${BatchState} ${BatchState}`[] = ['open closed', 'closed open', 'closed submitted']
  const every = batchStates.flatMap((from) => batchStates.map((to) => [from, to] as const))

  test.each(every)('%s to %s', (from, to) => expect(canTransitionBatch(from, to)).toBe(may.includes(`${from} ${to}`)))

  test('a submitted batch has no transitions', () => {
    expect(batchStates.filter((to) => canTransitionBatch('submitted', to))).toEqual([])
  })
})

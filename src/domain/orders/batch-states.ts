export const batchStates = ['open', 'closed', 'submitted'] as const
export type BatchState = (typeof batchStates)[number]

/**
 * Where a batch may go from each state (section 7). An open one takes in orders; only a closed one goes to the lab, so that none is
 * added behind the back of whoever looks it over.
 */
export const batchMoves = {
  open: ['closed'],
  closed: ['open', 'submitted'],
  submitted: [],
} as const satisfies Record<BatchState, readonly BatchState[]>

export const mayMoveBatch = (from: BatchState, to: BatchState): boolean => {
  const next: readonly BatchState[] = batchMoves[from]
  return next.includes(to)
}

export const batchStates = ['open', 'closed', 'submitted'] as const
export type BatchState = (typeof batchStates)[number]

/**
 * Where a batch may go from each state (section 7). An open one takes in orders; only a closed one goes to the lab, so that none is
 * added behind the back of whoever looks it over.
 */
export const batchTransitions = {
  open: ['closed'],
  closed: ['open', 'submitted'],
  submitted: [],
} as const satisfies Record<BatchState, readonly BatchState[]>

export const canTransitionBatch = (from: BatchState, to: BatchState): boolean => {
  const next: readonly BatchState[] = batchTransitions[from]
  return next.includes(to)
}

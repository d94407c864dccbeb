export const batchStates = ['open', 'closed', 'submitted'] as const
export type BatchState = (typeof batchStates)[number]

/**
 * The transitions of a batch (section 7). An open batch accepts orders. Only a closed one can be submitted to the lab,
 * so that no order is added while staff review it.
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

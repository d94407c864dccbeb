/**
 * Whether a named statement was refused because a table got a column since it was read ("cached plan must not change result type"). The
 * code alone also says that a feature is not supported. Types of parameters are fixed when a statement is read: no migration may change
 * the type of a column under a server that runs.
 */
export const isStalePlan = (problem: unknown): boolean =>
  problem instanceof Error &&
  'code' in problem &&
  problem.code === '0A000' &&
  'routine' in problem &&
  problem.routine === 'RevalidateCachedQuery'

/** A transaction that is being ended takes no more, like one that is over: what came behind its end would stand by itself. */
export const transactionEndingError = (): Error => new Error('A statement came as its transaction was being ended')

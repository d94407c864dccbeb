/**
 * Whether a prepared statement failed because a table got a column since ("cached plan must not change result type"). The code alone also
 * means that a feature is not supported. Parameter types are fixed when a statement is prepared, so no migration may change a column's type
 * under a running server.
 */
export const isStalePlan = (problem: unknown): boolean =>
  problem instanceof Error &&
  'code' in problem &&
  problem.code === '0A000' &&
  'routine' in problem &&
  problem.routine === 'RevalidateCachedQuery'

/** A transaction that is being ended accepts no more statements: a later one would run outside it. */
export const transactionEndingError = (): Error => new Error('A statement came as its transaction was being ended')

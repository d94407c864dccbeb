const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)

/** Whether another request inserted the row first. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, '23505')

/** Whether PostgreSQL ended one of two conflicting transactions; a retry can succeed. */
export const isConflict = (error: unknown): boolean => hasCode(error, '40001', '40P01')

/** Whether a row that a statement refers to was deleted before it. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, '23503')

/**
 * Runs work that checks for a row before it inserts it, and retries once after a unique violation, when the check finds
 * the row. The work must be a complete transaction, which is rolled back before the retry.
 */
export const retryOnUniqueViolation = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return await work()
  }
}

/**
 * Whether a prepared statement failed because a table has got a new column ("cached plan must not change result type").
 * The code alone is also used for unsupported features. Parameter types are fixed when a statement is prepared, so no
 * migration may change a column's type under a running server.
 */
export const isStalePlan = (problem: unknown): boolean =>
  problem instanceof Error &&
  'code' in problem &&
  problem.code === '0A000' &&
  'routine' in problem &&
  problem.routine === 'RevalidateCachedQuery'

/**
 * The error of a statement that arrives while its transaction is being ended, because it would run outside the
 * transaction.
 */
export const transactionEndingError = (): Error => new Error('A statement came as its transaction was being ended')

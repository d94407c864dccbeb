/** A unique violation: another request inserted the row first. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'

/**
 * Runs work that checks for a row before it inserts it, and runs it once more after a unique violation: the second check finds the row. The
 * work must be a whole transaction, which is rolled back before the retry.
 */
export const retryOnUniqueViolation = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!isTaken(error)) throw error
    return await work()
  }
}

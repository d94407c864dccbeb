/** PostgreSQL refused a second row where there may be one. */
const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'

/**
 * Does work that looks whether something is free before it takes it, and once more where somebody else was faster in between: then the
 * look finds it. The work is a whole transaction, which undoes what it began.
 */
export const retryOnUniqueViolation = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (!isTaken(error)) throw error
    return await work()
  }
}

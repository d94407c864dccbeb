import type { Db, Transaction } from './database.ts'

const mostAttempts = 5

/** PostgreSQL ended one of two conflicting transactions; a retry can succeed. */
const lostTheRace = (problem: unknown): boolean =>
  problem instanceof Error && 'code' in problem && (problem.code === '40001' || problem.code === '40P01')

/**
 * Runs `work` in a transaction, and retries it when PostgreSQL reports a deadlock or a serialization failure. So `work` must do nothing but
 * read and write through its transaction.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (problem) {
      if (attempt === mostAttempts || !lostTheRace(problem)) throw problem
    }
  }
}

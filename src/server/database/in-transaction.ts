import type { Db, Transaction } from './database.ts'
import { isConflict } from './statement-errors.ts'

const maxAttempts = 5

/**
 * Runs `work` in a transaction, and retries it when PostgreSQL reports a deadlock or a serialization failure. Therefore
 * `work` must only read and write through its transaction.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (problem) {
      if (attempt === maxAttempts || !isConflict(problem)) throw problem
    }
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection } from 'kysely'

type TransactionScope = { open: boolean }

/**
 * Knows whether the code that is running was called from inside a transaction of one database.
 *
 * The embedded engine has one connection: a query on `db` inside `db.transaction()` would wait for the transaction that waits
 * for it, for ever, and everything after it too. On PostgreSQL the same slip reads and writes outside of the transaction. Both
 * are mistakes of ours, so both throw.
 */
export class TransactionGuard {
  readonly #inside = new AsyncLocalStorage<TransactionScope>()
  readonly #byConnection = new WeakMap<DatabaseConnection, TransactionScope>()

  /** Throws when called, even indirectly, by the work of a transaction that is still open. */
  assertOutside(): void {
    if (this.#inside.getStore()?.open) {
      throw new Error(
        'A query was sent past the open transaction: inside a transaction use the one handed to the work, not `db`',
      )
    }
  }

  /**
   * Marks everything called from now on. It must run before the first `await` of the call that begins the transaction: only then does the
   * mark reach the caller, and through it the work.
   */
  enter(connection: DatabaseConnection): void {
    const opened = { open: true }
    this.#byConnection.set(connection, opened)
    this.#inside.enterWith(opened)
  }

  /** Work left running after the transaction (a timer, a promise that was not awaited) may use `db` again. */
  leave(connection: DatabaseConnection): void {
    const opened = this.#byConnection.get(connection)
    if (opened) opened.open = false
  }
}

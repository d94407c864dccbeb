import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseConnection } from 'kysely'

type TransactionScope = { open: boolean }

/**
 * Detects whether the running code was called inside a transaction of one database.
 *
 * The embedded engine has one connection: a query on `db` inside `db.transaction()` would wait for the transaction that
 * waits for the query, so that both wait forever. On PostgreSQL the same mistake reads and writes outside the
 * transaction. Both throw.
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
   * Marks all code that is called after this. It must run before the first `await` of the call that begins the
   * transaction, so that the mark also reaches the caller and the work of the transaction.
   */
  enter(connection: DatabaseConnection): void {
    const scope = { open: true }
    this.#byConnection.set(connection, scope)
    this.#inside.enterWith(scope)
  }

  /** Ends the mark: code that still runs after the transaction, such as a timer, may use `db` again. */
  leave(connection: DatabaseConnection): void {
    const scope = this.#byConnection.get(connection)
    if (scope) scope.open = false
  }
}

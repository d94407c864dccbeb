import type { DatabaseConnection, Dialect, DialectAdapter, Driver, TransactionSettings } from 'kysely'
import { FairQueue } from './fair-queue.ts'
import type { TransactionGuard } from './transaction-guard.ts'

type GuardOptions = {
  readonly guard: TransactionGuard
  /** `one` adds a queue in front of the single connection; kysely's own queue would form before the driver can refuse. */
  readonly connections: 'one' | 'many'
  /** Throws when the engine can no longer answer. */
  readonly assertUsable: () => void
}

/** Wraps a dialect so that it throws where a statement would wait for ever. */
export const guardedDialect = (dialect: Dialect, door: GuardOptions): Dialect => ({
  createAdapter: () => withManyConnections(dialect.createAdapter()),
  createDriver: () => new GuardedDriver(dialect.createDriver(), door),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})

const withManyConnections = (adapter: DialectAdapter): DialectAdapter =>
  Object.create(adapter, { supportsMultipleConnections: { value: true } })

class GuardedDriver implements Driver {
  readonly #driver: Driver
  readonly #door: GuardOptions
  readonly #turnstile: FairQueue | undefined

  constructor(driver: Driver, door: GuardOptions) {
    this.#driver = driver
    this.#door = door
    this.#turnstile = door.connections === 'one' ? new FairQueue() : undefined
  }

  init: Driver['init'] = (options) => this.#driver.init(options)
  destroy: Driver['destroy'] = (options) => this.#driver.destroy(options)
  savepoint: Driver['savepoint'] = (...step) => this.#driver.savepoint?.(...step) ?? Promise.resolve()
  rollbackToSavepoint: Driver['rollbackToSavepoint'] = (...step) =>
    this.#driver.rollbackToSavepoint?.(...step) ?? Promise.resolve()
  releaseSavepoint: Driver['releaseSavepoint'] = (...step) =>
    this.#driver.releaseSavepoint?.(...step) ?? Promise.resolve()

  acquireConnection: Driver['acquireConnection'] = async (options) => {
    this.#door.guard.assertOutside()
    await this.#turnstile?.take()
    try {
      this.#door.assertUsable()
      return await this.#driver.acquireConnection(options)
    } catch (problem) {
      this.#turnstile?.give()
      throw problem
    }
  }

  releaseConnection: Driver['releaseConnection'] = async (connection, options) => {
    try {
      await this.#driver.releaseConnection(connection, options)
    } finally {
      this.#turnstile?.give()
    }
  }

  // Not async: the guard's mark has to be set in the caller's own context.
  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    this.#door.guard.enter(connection)
    return this.#driver.beginTransaction(connection, settings)
  }

  commitTransaction: Driver['commitTransaction'] = (connection) =>
    this.#driver.commitTransaction(connection).finally(() => this.#door.guard.leave(connection))

  rollbackTransaction: Driver['rollbackTransaction'] = (connection) =>
    this.#driver.rollbackTransaction(connection).finally(() => this.#door.guard.leave(connection))
}

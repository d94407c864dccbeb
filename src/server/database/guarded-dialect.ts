import type { DatabaseConnection, Dialect, DialectAdapter, Driver, TransactionSettings } from 'kysely'
import { FairQueue } from './fair-queue.ts'
import type { TransactionGuard } from './transaction-guard.ts'

type GuardOptions = {
  readonly guard: TransactionGuard
  /**
   * `one` adds a queue in front of the single connection; kysely's own queue would make statements wait before the
   * guard can throw.
   */
  readonly connections: 'one' | 'many'
  /** Throws when the engine can no longer run statements. */
  readonly assertUsable: () => void
}

/** Wraps a dialect so that it throws where a statement would wait forever. */
export const guardedDialect = (dialect: Dialect, options: GuardOptions): Dialect => ({
  createAdapter: () => withManyConnections(dialect.createAdapter()),
  createDriver: () => new GuardedDriver(dialect.createDriver(), options),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})

const withManyConnections = (adapter: DialectAdapter): DialectAdapter =>
  Object.create(adapter, { supportsMultipleConnections: { value: true } })

class GuardedDriver implements Driver {
  readonly #driver: Driver
  readonly #options: GuardOptions
  readonly #queue: FairQueue | undefined

  constructor(driver: Driver, options: GuardOptions) {
    this.#driver = driver
    this.#options = options
    this.#queue = options.connections === 'one' ? new FairQueue() : undefined
  }

  init: Driver['init'] = (options) => this.#driver.init(options)
  destroy: Driver['destroy'] = (options) => this.#driver.destroy(options)
  savepoint: Driver['savepoint'] = (...step) => this.#driver.savepoint?.(...step) ?? Promise.resolve()
  rollbackToSavepoint: Driver['rollbackToSavepoint'] = (...step) =>
    this.#driver.rollbackToSavepoint?.(...step) ?? Promise.resolve()
  releaseSavepoint: Driver['releaseSavepoint'] = (...step) =>
    this.#driver.releaseSavepoint?.(...step) ?? Promise.resolve()

  acquireConnection: Driver['acquireConnection'] = async (options) => {
    this.#options.guard.assertOutside()
    await this.#queue?.take()
    try {
      this.#options.assertUsable()
      return await this.#driver.acquireConnection(options)
    } catch (problem) {
      this.#queue?.give()
      throw problem
    }
  }

  releaseConnection: Driver['releaseConnection'] = async (connection, options) => {
    try {
      await this.#driver.releaseConnection(connection, options)
    } finally {
      this.#queue?.give()
    }
  }

  // Not async, because the guard has to mark the caller's own async context.
  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    this.#options.guard.enter(connection)
    return this.#driver.beginTransaction(connection, settings)
  }

  commitTransaction: Driver['commitTransaction'] = (connection) =>
    this.#driver.commitTransaction(connection).finally(() => this.#options.guard.leave(connection))

  rollbackTransaction: Driver['rollbackTransaction'] = (connection) =>
    this.#driver.rollbackTransaction(connection).finally(() => this.#options.guard.leave(connection))
}

import { type IDBFactory as FakeFactory, IDBKeyRange } from 'fake-indexeddb'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'

type Handlers = { onsuccess: unknown; onerror: unknown; onabort: unknown; oncomplete: unknown }

/** The parts of the fake's transactions that are needed to kill them. */
type RunningTransaction = Handlers & {
  db: object
  _state: 'active' | 'inactive' | 'committing' | 'finished'
  _requests: { request: Handlers }[]
  _abort(errorName: string | null): void
}

type Connection = IDBDatabase & { _rawDatabase: { transactions: RunningTransaction[] } }

export type KillableDatabase = {
  db: LocalDatabase
  /** The database process dies: running requests fail, and the connection is unusable. */
  die(): void
  /** The tab is killed: uncommitted work is lost, and no promise settles any more. */
  vanish(): void
}

const silence = (handlers: Handlers): void => {
  Object.assign(handlers, { onsuccess: null, onerror: null, onabort: null, oncomplete: null })
}

/** One tab's connection to the phone's database. */
export const openKillable = (storage: InstanceType<typeof FakeFactory>): KillableDatabase => {
  const connections = new Set<Connection>()
  let isTabKilled = false
  const indexedDB = {
    cmp: storage.cmp.bind(storage),
    databases: storage.databases.bind(storage),
    deleteDatabase: storage.deleteDatabase.bind(storage),
    open: (name: string, version?: number) => {
      // A request that never settles.
      if (isTabKilled) return {}
      const request = storage.open(name, version)
      request.addEventListener('success', () => {
        if (isTabKilled) request.result.close()
        else connections.add(request.result as unknown as Connection) // with the fake's internals
      })
      return request
    },
  }
  const db = openLocalDatabase('cart', { indexedDB: indexedDB as unknown as IDBFactory, IDBKeyRange }) // Dexie uses nothing else
  // Needed by live queries to observe changes; none run here.
  for (const name of ['ObservabilityMiddleware', 'Cache']) db.unuse({ stack: 'dbcore', name })
  const running = (connection: Connection): RunningTransaction[] =>
    connection._rawDatabase.transactions.filter(
      (transaction) => transaction.db === connection && transaction._state !== 'finished',
    )
  const closeConnection = (connection: Connection, errorName: string) => {
    for (const transaction of running(connection))
      if (transaction._state !== 'committing') transaction._abort(errorName)
    connection.close()
  }
  return {
    db,
    die: () => {
      for (const connection of connections) closeConnection(connection, 'UnknownError')
      connections.clear()
    },
    vanish: () => {
      isTabKilled = true
      for (const connection of connections) {
        for (const transaction of running(connection)) {
          silence(transaction)
          for (const { request } of transaction._requests) silence(request)
        }
        closeConnection(connection, 'AbortError')
      }
    },
  }
}

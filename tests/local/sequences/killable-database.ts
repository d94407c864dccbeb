import { type IDBFactory as FakeFactory, IDBKeyRange } from 'fake-indexeddb'
import { type LocalDatabase, openLocalDatabase } from '#local/store/database.ts'

type Handlers = { onsuccess: unknown; onerror: unknown; onabort: unknown; oncomplete: unknown }

/** As much of the fake's transactions as dying needs. */
type Running = Handlers & {
  db: object
  _state: 'active' | 'inactive' | 'committing' | 'finished'
  _requests: { request: Handlers }[]
  _abort(errorName: string | null): void
}

type Connection = IDBDatabase & { _rawDatabase: { transactions: Running[] } }

export type KillableDatabase = {
  db: LocalDatabase
  /** The process behind the database is gone: what runs fails, and the connection is of no use any more. */
  die(): void
  /** The tab is gone: what had not been committed never happens, and nobody hears of anything again. */
  vanish(): void
}

const silence = (handlers: Handlers): void => {
  Object.assign(handlers, { onsuccess: null, onerror: null, onabort: null, oncomplete: null })
}

/** One tab's connection to what lies on the phone. */
export const openKillable = (storage: InstanceType<typeof FakeFactory>): KillableDatabase => {
  const connections = new Set<Connection>()
  let gone = false
  const indexedDB = {
    cmp: storage.cmp.bind(storage),
    databases: storage.databases.bind(storage),
    deleteDatabase: storage.deleteDatabase.bind(storage),
    open: (name: string, version?: number) => {
      // A request that nobody ever answers.
      if (gone) return {}
      const request = storage.open(name, version)
      request.addEventListener('success', () => {
        if (gone) request.result.close()
        else connections.add(request.result as unknown as Connection) // the fake's own, seen from inside
      })
      return request
    },
  }
  const db = openLocalDatabase('cart', { indexedDB: indexedDB as unknown as IDBFactory, IDBKeyRange }) // all of it that Dexie uses
  // What live queries need to hear of changes by; nothing looks on here.
  for (const name of ['ObservabilityMiddleware', 'Cache']) db.unuse({ stack: 'dbcore', name })
  const running = (connection: Connection): Running[] =>
    connection._rawDatabase.transactions.filter((one) => one.db === connection && one._state !== 'finished')
  const end = (connection: Connection, errorName: string) => {
    for (const one of running(connection)) if (one._state !== 'committing') one._abort(errorName)
    connection.close()
  }
  return {
    db,
    die: () => {
      for (const connection of connections) end(connection, 'UnknownError')
      connections.clear()
    },
    vanish: () => {
      gone = true
      for (const connection of connections) {
        for (const one of running(connection)) {
          silence(one)
          for (const { request } of one._requests) silence(request)
        }
        end(connection, 'AbortError')
      }
    },
  }
}

import { Dexie, type Table } from 'dexie'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { randomId } from '../outbox/device-stamp.ts'
import type {
  ConfirmedCart,
  ConfirmedSubject,
  DeviceEntry,
  LineNumber,
  OutboxRow,
  SendingState,
  StoredAccessCode,
  StoredCheckout,
  StoredGrant,
  StoredOrder,
  TypedSubjectRow,
} from './rows.ts'

/** The data stored on the device. Screens read it through live queries; only `src/local` writes it. */
export class LocalDatabase extends Dexie {
  declare readonly carts: Table<ConfirmedCart, [number, OrderMethod]>
  declare readonly outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>
  declare readonly sending: Table<SendingState, [number, OrderMethod]>
  declare readonly lineNumbers: Table<LineNumber, number, Omit<LineNumber, 'n'>>
  declare readonly drafts: Table<{ key: string; value: unknown }, string>
  declare readonly codes: Table<StoredAccessCode, [number, string]>
  declare readonly subjects: Table<ConfirmedSubject, [number, number]>
  declare readonly people: Table<TypedSubjectRow, number, Omit<TypedSubjectRow, 'n'>>
  declare readonly checkouts: Table<StoredCheckout, [number, OrderMethod]>
  declare readonly orders: Table<StoredOrder, string>
  declare readonly grants: Table<StoredGrant, string>
  declare readonly device: Table<DeviceEntry, DeviceEntry['key']>

  /**
   * Called when this connection finds that the database was deleted and created again since it was opened. Each returns
   * a promise if it loads from the server what was deleted.
   */
  readonly deletedListeners = new Set<() => unknown>()

  /** Settles when the listeners have loaded what was deleted, or could not; null at all other times. Never rejects. */
  restoring: Promise<unknown> | null = null
}

/**
 * The stores of version 1. A version that is released is never edited: a change adds a version. An old tab may still
 * write the old shape, so each mutation carries its own `v` too.
 */
const stores = {
  carts: '[jobId+orderMethod], jobId, [jobId+orderMethod+writing]',
  outbox: '++seq, &mutationId, [jobId+orderMethod], jobId, state',
  sending: '[jobId+orderMethod], jobId',
  lineNumbers: '++n, &lineId, jobId',
  drafts: 'key',
  codes: '[jobId+code], jobId',
  subjects: '[jobId+subjectId], jobId',
  people: '++n, &personId, jobId',
  checkouts: '[jobId+orderMethod]',
  orders: 'orderNumber, jobId',
  grants: 'grantId, jobId',
  device: 'key',
}

export type IndexedDb = { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }

/**
 * Opens the device's database: strictly durable, because a package that the screen shows as saved must survive an empty
 * battery.
 */
export const openLocalDatabase = (name = 'cart', indexedDb?: IndexedDb): LocalDatabase => {
  const db = new LocalDatabase(name, { chromeTransactionDurability: 'strict', ...indexedDb })
  db.version(1).stores(stores)
  detectDeletion(db)
  return db
}

const readCreatedId = async (db: LocalDatabase): Promise<string | null> => {
  const entry = await db.device.get('created')
  return entry?.key === 'created' ? entry.value : null
}

const restore = (db: LocalDatabase): void => {
  const restoring = Promise.allSettled([...db.deletedListeners].map(async (listener) => await listener()))
  db.restoring = restoring
  void restoring.then(() => {
    if (db.restoring === restoring) db.restoring = null
  })
}

/** Devtools and some browsers delete a database under open pages; the next read of such a page creates a new one. */
const detectDeletion = (db: LocalDatabase): void => {
  let knownId: string | null | undefined
  db.on('populate', (transaction) => void transaction.table('device').add({ key: 'created', value: randomId() }))
  const checkCreatedId = async (opened: Dexie): Promise<void> => {
    const previousId = knownId
    const createdId = await readCreatedId(opened as LocalDatabase) // the same database, usable while it is being opened
    if (createdId !== null || previousId === undefined) knownId = createdId
    if (previousId !== undefined && createdId !== null && createdId !== previousId) restore(db)
  }
  db.on('ready', checkCreatedId, true)
}

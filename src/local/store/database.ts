import { Dexie, type Table } from 'dexie'
import type { Order } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { RecordedMutation, TypedSubject } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { randomId } from '../outbox/device-stamp.ts'
import type { RemovalEffects } from '../outbox/removal-effects.ts'

/** Which cart: one per job and order method. */
export type CartKey = { jobId: number; orderMethod: OrderMethod }

/**
 * The last cart the server answered with. `retiredCartId`: the cart that was ordered here last, never to come back. `writing`: another
 * each time it is written.
 */
export type ConfirmedCart = CartKey & { cart: Cart; retiredCartId: number | null; writing: string }

export type Rejection = { problem: string; message: string }

/**
 * A mutation that the server has not settled. `new`: never sent, may still be coalesced; `sent`: sent at least once, resent unchanged;
 * `refused`: rejected by the server, the customer decides.
 */
export type OutboxRow = CartKey & {
  seq: number
  mutationId: string
  /** The line it is about; null for the whole cart. */
  lineId: string | null
  state: 'new' | 'sent' | 'refused'
  recorded: RecordedMutation
  refusal: Rejection | null
  /** What this removal took out of the cart, as the cart was when it was enqueued. */
  ended?: RemovalEffects | undefined
  /** It was retried once after the access to its subject was restored. */
  wentAgain?: true
  /** How many server errors it met; retried alone at `nextAt`. `since`: when that was set, by the same clock. */
  stumbled?: { times: number; nextAt: number; since: number }
}

/**
 * The sending state of one cart. `nextAt` is in milliseconds since 1970, set at `waitsSince` by the same clock; `batchLimit` shrinks while
 * the sender looks for a rejected mutation.
 */
export type SendingState = CartKey & {
  attempts: number
  nextAt: number
  waitsSince: number
  /** The last request did not reach the server: the next answer of the server to any call ends the wait. */
  unreached?: boolean
  inFlight: boolean
  batchLimit: number
  /** Set when only the customer can help, and then said on the screen. */
  paused: Rejection | null
  /** A server in trouble: `asks` first whether an empty request comes through; once it did, `narrows` down what does not. */
  doubt?: 'asks' | 'narrows' | undefined
  /** The number of first rows among which one makes the server fail. */
  suspects?: number | undefined
}

/** A line's number in addresses: given when this device first sees the line, never used again. */
export type LineNumber = { n: number; lineId: string; jobId: number }

/** A code that opened a job on this device. `subjectId`: the subject whose own code it is; null for a code of the whole job. */
export type StoredAccessCode = {
  jobId: number
  code: string
  studioSlug: string
  studioId: number
  subjectId: number | null
}

/** A subject that the customer confirmed. `proof`: the search's token for it; null where the subject's own code opened it. */
export type ConfirmedSubject = { jobId: number; subjectId: number; proof: string | null }

/**
 * A subject typed in on this device before the picture day. `n` counts from 1 on this device; URLs say `-n`, so that it is never confused
 * with an id of the studio.
 */
export type TypedSubjectRow = { n: number; jobId: number } & TypedSubject

/** `totalCents` and `cartVersion` are what the customer was shown. */
export type PaymentAttempt = {
  attemptId: string
  paymentToken: string | null
  totalCents: number
  cartVersion: number
  startedAt: string
}

/** `checkoutId` stays until the cart is ordered; `attempt` is the payment whose outcome is not known yet. */
export type StoredCheckout = CartKey & { checkoutId: string; attempt: PaymentAttempt | null }

export type StoredOrder = { orderNumber: string; jobId: number; order: Order | null; keptAt: string }

/** A right to see pictures, and when the server last confirmed it (milliseconds since 1970). The worker's photo cache lives by these. */
export type StoredGrant = { grantId: string; jobId: number; seenAt: number }

/**
 * A job to which this device lost access: codes and subjects are sent again before anything of its carts. `refusal`: the server rejected
 * every stored code, so nothing is sent before the customer acts. `stale`: cached responses of the job may be of another session.
 */
export type LostAccess = { jobId: number; refusal: Rejection | null; stale: boolean }

/** The job, or else the studio, that this device opened last. `studioName`: undefined until the studio is loaded. */
export type LastOpenedJob = { studioSlug: string; jobId: number | null; studioName?: string | undefined }

export type DeviceEntry =
  | { key: 'cart'; value: { cartJobId: number; orderMethod: OrderMethod; cartPackageCount: number } }
  /** The order method the customer chose, and for which event. */
  | { key: 'method'; value: CartKey }
  | { key: 'visit'; value: LastOpenedJob }
  /** Grows with each new session, so that an answer to an old one is known as such. */
  | { key: 'session'; value: number }
  /** The state of the session's photos at the last check for withdrawn ones. */
  | { key: 'photos'; value: string }
  | { key: 'shut'; value: LostAccess[] }
  /** A new id each time the database is created on this device. */
  | { key: 'created'; value: string }

/** What survives on the device. Screens read it through live queries; all writing is in this room. */
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

  /** Called when this connection finds that the database was deleted and created again since it was opened. */
  readonly clearedListeners = new Set<() => void>()
}

/**
 * The stores of version 1. A version that is released is never edited: a change adds a version. An old tab may still write the old shape,
 * so each mutation carries its own `v` too.
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

/** Opens the device's database: `strict`, because a package the screen calls saved must survive an empty battery. */
export const openLocalDatabase = (name = 'cart', indexedDb?: IndexedDb): LocalDatabase => {
  const db = new LocalDatabase(name, { chromeTransactionDurability: 'strict', ...indexedDb })
  db.version(1).stores(stores)
  noticeClearing(db)
  return db
}

const createdOf = async (db: LocalDatabase): Promise<string | null> => {
  const fact = await db.device.get('created')
  return fact?.key === 'created' ? fact.value : null
}

/** Devtools and some browsers delete a database under open pages; the next read of such a page creates a new one. */
const noticeClearing = (db: LocalDatabase): void => {
  let known: string | null | undefined
  db.on('populate', (creating) => void creating.table('device').add({ key: 'created', value: randomId() }))
  const lookAt = async (opened: Dexie): Promise<void> => {
    const before = known
    const created = await createdOf(opened as LocalDatabase) // the same, let through while it is being opened
    if (created !== null || before === undefined) known = created
    if (before !== undefined && created !== null && created !== before)
      for (const listener of [...db.clearedListeners]) listener()
  }
  db.on('ready', lookAt, true)
}

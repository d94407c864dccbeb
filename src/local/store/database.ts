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
 * One thing the customer did that the server has not settled. `new`: nobody else knows of it, it may still be merged; `sent`: it
 * left once, and goes again word for word; `refused`: the server's rules said no, and the customer decides what now.
 */
export type OutboxRow = CartKey & {
  seq: number
  mutationId: string
  /** The line it is about; null for the whole cart. */
  lineId: string | null
  state: 'new' | 'sent' | 'refused'
  recorded: RecordedMutation
  refusal: Rejection | null
  /** What this removal made an end of on the cart as it was then: of what was told before it, some may leave no trace. */
  ended?: RemovalEffects | undefined
  /** It went a second time, the person's doors opened anew in between. */
  wentAgain?: true
  /** The server stumbled over it so often, alone in the end; it goes again at `nextAt`, written down at `since` by the same clock. */
  stumbled?: { times: number; nextAt: number; since: number }
}

/**
 * How sending stands for one cart. `nextAt` is milliseconds since 1970, written down at `waitsSince` by the same clock; `batchLimit`
 * shrinks while looking for a refused one.
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
  /** So many of the first that wait have one among them that the server stumbles over. */
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
 * Somebody typed in here before the picture day. `n` counts from 1 on this device; in addresses the person is `-n`, so that nobody
 * takes it for a number of the studio's.
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
 * An event that the server does not know (any more) to be open to this device: codes and people go before anything else of its carts.
 * `refusal`: it took no code of those kept here, and nothing is asked of it again before the customer helps. `stale`: what the device
 * keeps of it to show may be of another visit.
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
  /** Another for each time the database is created here. */
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

  /** Called when this connection finds that the database was cleared away since it was opened last, and is another one now. */
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

/** Devtools and some browsers clear a database away under open pages, which open a new one with the next thing they read. */
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

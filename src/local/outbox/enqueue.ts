import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { type CartProblem, cartProblemMessage, hasLine } from '#domain/cart/cart-rules.ts'
import { coalesceMutation, type QueuedMutation } from '#domain/cart/coalesce-mutations.ts'
import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { applyMutation } from '#domain/cart/mutations.ts'
import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { countPackages, frozenWhilePaying } from '../store/cart-view.ts'
import { isPaying, readConfirmedCart } from '../store/confirmed-cart.ts'
import type { LocalDatabase } from '../store/database.ts'
import type { CartKey, OutboxRow, TypedSubjectRow } from '../store/rows.ts'
import { cartKey, outboxRowsOf, replayRows, upcastRecorded } from './outbox-rows.ts'
import { removalEffectsOf } from './removal-effects.ts'
import { supersededRejections } from './supersede.ts'

export type EnqueueFailure = { ok: false; problem: CartProblem; message: string } | DeviceFailure
type EnqueuedChange = { ok: true; before: Cart; cart: Cart; dropped: CartPackage[] }
export type EnqueueResult = EnqueuedChange | EnqueueFailure

/** Runs `work` in one transaction over every table that a cart change uses. */
export const inCartTransaction = <Value>(db: LocalDatabase, work: () => PromiseLike<Value>): Promise<Value> =>
  db.transaction(
    'rw',
    [
      ...[db.carts, db.outbox, db.sending, db.lineNumbers, db.checkouts, db.orders],
      ...[db.people, db.subjects, db.drafts, db.device],
    ],
    work,
  )

/** The mutations to store, or a function that derives them from the cart within the same transaction. */
export type ChangesToEnqueue = RecordedMutation[] | ((before: Cart) => Promise<RecordedMutation[]>)

/** `person`: the typed-in subject of the changes. `editedLine`: the line that the customer saved again as a whole. */
type EnqueueOptions = { person?: Omit<TypedSubjectRow, 'n'> & { n?: number }; editedLine?: string }

/**
 * Stores the customer's changes, all or none: the mutations, the numbers of new lines and the counts; rejected
 * mutations that are superseded are deleted. Fails if the cart rules reject a change on the cart as the customer sees
 * it. Once this resolves to `ok`, the changes are stored. After the browser deleted the database, waits until the cart
 * is back from the server.
 */
export const enqueueMutations = (
  db: LocalDatabase,
  key: CartKey,
  requestedChanges: ChangesToEnqueue,
  { person, editedLine }: EnqueueOptions = {},
): Promise<EnqueueResult> => {
  let firstAttempt: EnqueuedChange | undefined
  const enqueue = () =>
    inCartTransaction(db, async (): Promise<EnqueueResult | 'restoring'> => {
      if (db.restoring) return 'restoring'
      // One batch of reads: on a slow phone, every further read takes as long as the first.
      const [confirmed, rows, paying, unnumberedLineIds] = await Promise.all([
        readConfirmedCart(db, key),
        outboxRowsOf(db, key),
        isPaying(db, key),
        typeof requestedChanges === 'function'
          ? null
          : findUnnumberedLines(db, key.jobId, requestedChanges.flatMap(addedLine)),
      ])
      const before = frozenWhilePaying(replayRows(confirmed, rows).cart, paying)
      if (firstAttempt && isCommitted(firstAttempt, before)) return firstAttempt
      const changes = typeof requestedChanges === 'function' ? await requestedChanges(before) : requestedChanges
      if (changes.length === 0) return { ok: true, before, cart: before, dropped: [] }
      let cart = before
      const dropped: CartPackage[] = []
      for (const { mutation, snapshot } of changes) {
        if (mutation.do === 'line.remove' && !hasLine(cart, mutation.lineId))
          return enqueueFailure('line-unknown', cart)
        const applied = applyMutation(cart, mutation, snapshot)
        if (!applied.ok) return enqueueFailure(applied.problem, cart)
        cart = applied.cart
        dropped.push(...applied.dropped)
      }
      const storeChanges = async (): Promise<void> => {
        await storeRows(db, key, { confirmed, rows, changes })
        const supersededSeqs = supersededRejections(rows, changes, editedLine).map(({ seq }) => seq)
        if (supersededSeqs.length > 0) await db.outbox.bulkDelete(supersededSeqs)
      }
      const storeNumbers = async (): Promise<void> =>
        storeLineNumbers(
          db,
          key.jobId,
          unnumberedLineIds ?? (await findUnnumberedLines(db, key.jobId, changes.flatMap(addedLine))),
        )
      await Promise.all([storeChanges(), storeNumbers(), saveCartSummary(db, cart)])
      if (person) await saveTypedSubject(db, person)
      firstAttempt = { ok: true, before, cart, dropped }
      return firstAttempt
    })
  const enqueueWhenRestored = async (): Promise<EnqueueResult> => {
    const result = await enqueue()
    if (result !== 'restoring') return result
    await db.restoring
    return await enqueueWhenRestored()
  }
  return withDatabaseRetry(db, enqueueWhenRestored)
}

/**
 * Whether the first attempt was committed before the database closed: a repeated removal would find nothing to remove
 * and nothing to restore.
 */
const isCommitted = ({ before, cart }: EnqueuedChange, current: Cart): boolean => {
  const currentJson = JSON.stringify(current)
  return currentJson === JSON.stringify(cart) && currentJson !== JSON.stringify(before)
}

/** Adds or updates a typed subject. A second attempt after the database closed finds a new one stored. */
const saveTypedSubject = async (
  db: LocalDatabase,
  person: Omit<TypedSubjectRow, 'n'> & { n?: number },
): Promise<void> => {
  const existing = await db.people.where('personId').equals(person.personId).first()
  if (existing) await db.people.update(existing.n, person)
  else await db.people.add(person)
}

const addedLine = ({ mutation }: RecordedMutation): string[] => (mutation.do === 'line.add' ? [mutation.lineId] : [])

const enqueueFailure = (problem: CartProblem, { state }: Cart): EnqueueFailure => ({
  ok: false,
  problem,
  message: cartProblemMessage(problem, state),
})

type RowsToStore = { confirmed: Cart; rows: OutboxRow[]; changes: RecordedMutation[] }

/** Adds changes to the outbox one by one, each merged with unsent ones. */
const storeRows = async (db: LocalDatabase, key: CartKey, { confirmed, rows, changes }: RowsToStore): Promise<void> => {
  const [next, ...others] = changes
  if (!next) return
  // Already stored: the transaction was committed when the database closed, and this is the second attempt.
  if (!rows.some((row) => row.mutationId === next.mutation.id)) await storeRow(db, key, { confirmed, rows, next })
  if (others.length > 0) await storeRows(db, key, { confirmed, rows: await outboxRowsOf(db, key), changes: others })
}

const storeRow = async (
  db: LocalDatabase,
  key: CartKey,
  { confirmed, rows, next }: { confirmed: Cart; rows: OutboxRow[]; next: RecordedMutation },
): Promise<void> => {
  const { remove, put } = coalesceMutation(confirmed, toQueue(rows), next)
  if (remove.length > 0) await db.outbox.where('mutationId').anyOf(remove).delete()
  if (put === null) return
  const mergedRow = rows.find((row) => row.mutationId === put.mutation.id)
  const removalEffects = removalEffectsOf(confirmed, rows, next.mutation) ?? undefined
  if (mergedRow) await db.outbox.update(mergedRow.seq, { recorded: put, removed: removalEffects })
  else await db.outbox.add({ ...newOutboxRow(key, put), ...(removalEffects && { removed: removalEffects }) })
}

/**
 * The queue as this build reads it. Rows of a newer build stay in place; their dependencies are unknown here, so no row
 * before one of them is merged with a row after it.
 */
const toQueue = (rows: readonly OutboxRow[]): QueuedMutation[] => {
  const barrier = rows.findLastIndex(({ recorded }) => upcastRecorded(recorded).length === 0)
  return rows.flatMap(({ recorded, state }, index) =>
    upcastRecorded(recorded).map((upcast) => ({
      recorded: upcast,
      state: index < barrier && state === 'new' ? 'sent' : state,
    })),
  )
}

export const newOutboxRow = ({ jobId, orderMethod }: CartKey, recorded: RecordedMutation): Omit<OutboxRow, 'seq'> => ({
  jobId,
  orderMethod,
  mutationId: recorded.mutation.id,
  lineId: 'lineId' in recorded.mutation ? recorded.mutation.lineId : null,
  state: 'new',
  recorded,
  rejection: null,
})

/** The lines of a job that have no number on this device yet. */
const findUnnumberedLines = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<string[]> => {
  const isFew = lineIds.length <= 4
  // A few are looked up one by one; for many, all numbers of the job are read at once.
  const existingNumbers = isFew
    ? (await Promise.all(lineIds.map((lineId) => db.lineNumbers.where({ lineId }).toArray()))).flat()
    : await db.lineNumbers.where('jobId').equals(jobId).toArray()
  const numberedIds = new Set(existingNumbers.map(({ lineId }) => lineId))
  return lineIds.filter((lineId) => !numberedIds.has(lineId))
}

const storeLineNumbers = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<void> => {
  if (lineIds.length > 0) await db.lineNumbers.bulkAdd(lineIds.map((lineId) => ({ lineId, jobId })))
}

/** Assigns a number to each line of a job that this device has not seen before. Runs inside a transaction. */
export const assignLineNumbers = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<void> =>
  storeLineNumbers(db, jobId, await findUnnumberedLines(db, jobId, lineIds))

/**
 * Stores which cart this device has and how many packages it contains (section 3, local persisted). Runs inside a
 * transaction.
 */
export const saveCartSummary = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const { jobId: cartJobId, orderMethod } = cart
  await db.device.put({ key: 'cart', value: { cartJobId, orderMethod, cartPackageCount: countPackages(cart) } })
}

/** Updates the summary after a cart changed without the customer, unless the summary describes another cart. */
export const updateCartSummary = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const entry = await db.device.get('cart')
  const isSameJob = entry?.key === 'cart' && entry.value.cartJobId === cart.jobId
  if (!entry || (isSameJob && entry.value.orderMethod === cart.orderMethod)) await saveCartSummary(db, cart)
}

export const sendingStateOf = async (db: LocalDatabase, key: CartKey) =>
  (await db.sending.get(cartKey(key))) ?? {
    jobId: key.jobId,
    orderMethod: key.orderMethod,
    attempts: 0,
    nextAt: 0,
    waitsSince: 0,
    inFlight: false,
    batchLimit: 0,
    paused: null,
  }

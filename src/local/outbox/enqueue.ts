import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { applyMutation, type CartProblem, cartProblemMessage, hasLine } from '#domain/cart/cart-rules.ts'
import { coalesceMutation, type QueuedMutation } from '#domain/cart/coalesce-mutations.ts'
import type { RecordedMutation } from '#domain/cart/mutation.ts'
import { type DeviceFailure, withDatabaseRetry } from '../recovery/with-database-retry.ts'
import { countPackages, frozenWhilePaying } from '../store/cart-view.ts'
import { isPaying, readConfirmedCart } from '../store/confirmed-cart.ts'
import type { CartKey, LocalDatabase, OutboxRow, TypedSubjectRow } from '../store/database.ts'
import { cartKey, outboxRowsOf } from './outbox-rows.ts'
import { removalEffectsOf } from './removal-effects.ts'
import { replayRows, upcastRecorded } from './replay-rows.ts'
import { supersededRejections } from './supersede.ts'

export type EnqueueFailure = { ok: false; problem: CartProblem; message: string } | DeviceFailure
type EnqueuedChange = { ok: true; before: Cart; cart: Cart; dropped: CartPackage[] }
export type EnqueueResult = EnqueuedChange | EnqueueFailure

/** Runs in one transaction over everything a change of a cart touches. */
export const inCartTransaction = <Value>(db: LocalDatabase, work: () => PromiseLike<Value>): Promise<Value> =>
  db.transaction(
    'rw',
    [
      ...[db.carts, db.outbox, db.sending, db.lineNumbers, db.checkouts, db.orders],
      ...[db.people, db.subjects, db.drafts, db.device],
    ],
    work,
  )

/** What to write down; what depends on what the device holds reads it in here, within the same transaction. */
export type ChangesToEnqueue = RecordedMutation[] | ((before: Cart) => Promise<RecordedMutation[]>)

/** `person`: whom the changes are about, where somebody was typed in. `editedLine`: the line the customer saved anew as a whole. */
type EnqueueOptions = { person?: Omit<TypedSubjectRow, 'n'> & { n?: number }; editedLine?: string }

/**
 * Writes down what the customer did, all of it or nothing: the mutations, the numbers of new lines, the counts; what was refused and
 * is set anew is let go. Refuses what the cart rules refuse on the cart as the customer sees it. Once this has answered, it is saved.
 */
export const enqueueMutations = (
  db: LocalDatabase,
  key: CartKey,
  wanted: ChangesToEnqueue,
  { person, editedLine }: EnqueueOptions = {},
): Promise<EnqueueResult> => {
  let tried: EnqueuedChange | undefined
  return withDatabaseRetry(db, () =>
    inCartTransaction(db, async (): Promise<EnqueueResult> => {
      // All that an add has to know is asked for at once: each question more takes a slow phone as long again.
      const [confirmed, rows, paying, unnumbered] = await Promise.all([
        readConfirmedCart(db, key),
        outboxRowsOf(db, key),
        isPaying(db, key),
        typeof wanted === 'function' ? null : withoutNumber(db, key.jobId, wanted.flatMap(addedLine)),
      ])
      const before = frozenWhilePaying(replayRows(confirmed, rows).cart, paying)
      if (tried && isCommitted(tried, before)) return tried
      const changes = typeof wanted === 'function' ? await wanted(before) : wanted
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
      const keep = async (): Promise<void> => {
        await storeRows(db, key, { confirmed, rows, changes })
        const over = supersededRejections(rows, changes, editedLine).map(({ seq }) => seq)
        if (over.length > 0) await db.outbox.bulkDelete(over)
      }
      const number = async (): Promise<void> =>
        storeLineNumbers(db, key.jobId, unnumbered ?? (await withoutNumber(db, key.jobId, changes.flatMap(addedLine))))
      await Promise.all([keep(), number(), saveCartSummary(db, cart)])
      if (person) await saveTypedSubject(db, person)
      tried = { ok: true, before, cart, dropped }
      return tried
    }),
  )
}

/** Whether a first try had committed when the database died: asked twice, a removal would find nothing to take, and nothing to put back. */
const isCommitted = ({ before, cart }: EnqueuedChange, now: Cart): boolean => {
  const found = JSON.stringify(now)
  return found === JSON.stringify(cart) && found !== JSON.stringify(before)
}

/** A second try after the database died finds the person there. */
const saveTypedSubject = async (
  db: LocalDatabase,
  person: Omit<TypedSubjectRow, 'n'> & { n?: number },
): Promise<void> => {
  const known = await db.people.where('personId').equals(person.personId).first()
  if (known) await db.people.update(known.n, person)
  else await db.people.add(person)
}

const addedLine = ({ mutation }: RecordedMutation): string[] => (mutation.do === 'line.add' ? [mutation.lineId] : [])

const enqueueFailure = (problem: CartProblem, { state }: Cart): EnqueueFailure => ({
  ok: false,
  problem,
  message: cartProblemMessage(problem, state),
})

type RowsToStore = { confirmed: Cart; rows: OutboxRow[]; changes: RecordedMutation[] }

/** Puts changes into the outbox, one after the other, each merged with what has not been sent yet. */
const storeRows = async (db: LocalDatabase, key: CartKey, { confirmed, rows, changes }: RowsToStore): Promise<void> => {
  const [next, ...others] = changes
  if (!next) return
  // Written already: the transaction had committed when the database died, and this is the second try.
  if (!rows.some((row) => row.mutationId === next.mutation.id)) await storeRow(db, key, { confirmed, rows, next })
  if (others.length > 0) await storeRows(db, key, { confirmed, rows: await outboxRowsOf(db, key), changes: others })
}

const storeRow = async (
  db: LocalDatabase,
  key: CartKey,
  { confirmed, rows, next }: { confirmed: Cart; rows: OutboxRow[]; next: RecordedMutation },
): Promise<void> => {
  const { remove, put } = coalesceMutation(confirmed, mergeable(rows), next)
  if (remove.length > 0) await db.outbox.where('mutationId').anyOf(remove).delete()
  if (put === null) return
  const merged = rows.find((row) => row.mutationId === put.mutation.id)
  const ended = removalEffectsOf(confirmed, rows, next.mutation) ?? undefined
  if (merged) await db.outbox.update(merged.seq, { recorded: put, ended })
  else await db.outbox.add({ ...newOutboxRow(key, put), ...(ended && { ended }) })
}

/**
 * A queue as today's rules read it. What a newer build wrote stays where it is; nobody here knows what it rests on, so nothing from before
 * it is merged with what comes behind.
 */
const mergeable = (rows: readonly OutboxRow[]): QueuedMutation[] => {
  const barrier = rows.findLastIndex(({ recorded }) => upcastRecorded(recorded).length === 0)
  return rows.flatMap(({ recorded, state }, place) =>
    upcastRecorded(recorded).map((one) => ({
      recorded: one,
      state: place < barrier && state === 'new' ? 'sent' : state,
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
  refusal: null,
})

/** Those of a job's lines that this device has given no number yet. */
const withoutNumber = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<string[]> => {
  const isFew = lineIds.length <= 4
  // Few are looked up one by one, many read as they lie together.
  const seen = isFew
    ? (await Promise.all(lineIds.map((lineId) => db.lineNumbers.where({ lineId }).toArray()))).flat()
    : await db.lineNumbers.where('jobId').equals(jobId).toArray()
  const known = new Set(seen.map((one) => one.lineId))
  return lineIds.filter((lineId) => !known.has(lineId))
}

const storeLineNumbers = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<void> => {
  if (lineIds.length > 0) await db.lineNumbers.bulkAdd(lineIds.map((lineId) => ({ lineId, jobId })))
}

/** Gives a number to each of a job's lines that this device has not seen before. Runs inside a transaction. */
export const assignLineNumbers = async (db: LocalDatabase, jobId: number, lineIds: readonly string[]): Promise<void> =>
  storeLineNumbers(db, jobId, await withoutNumber(db, jobId, lineIds))

/** Notes which cart this device holds and how full it is (section 3, local persisted). Runs inside a transaction. */
export const saveCartSummary = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const { jobId: cartJobId, orderMethod } = cart
  await db.device.put({ key: 'cart', value: { cartJobId, orderMethod, cartPackageCount: countPackages(cart) } })
}

/** The same for a cart that changed without the customer: it does not become the one they are filling. */
export const updateCartSummary = async (db: LocalDatabase, cart: Cart): Promise<void> => {
  const fact = await db.device.get('cart')
  const isTheirs = fact?.key === 'cart' && fact.value.cartJobId === cart.jobId
  if (!fact || (isTheirs && fact.value.orderMethod === cart.orderMethod)) await saveCartSummary(db, cart)
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

import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { applyMutation } from '#domain/cart/cart-rules.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { dispatchByKind, type MutationTable } from '#domain/cart/mutation-kinds.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { ensureCart } from '../store/live-carts.ts'
import { type CartRef, readCart } from '../store/read-cart.ts'
import { cartWriteStatements } from '../store/write-cart.ts'
import { autofillLine } from './autofill-line.ts'
import { type CartTarget, cartOrderedResult, mutationsForOrderedCart } from './cart-closed.ts'
import { type CartCommand, type Rejection, rejectedResult } from './command.ts'
import { type MutationContext, readMutationContext } from './mutation-context.ts'
import { ruleRejection } from './mutation-rejections.ts'
import { type ProcessedMutation, readProcessedMutations, replayedResult } from './processed-mutations.ts'
import { resolveMutation } from './resolve-mutation.ts'
import { savePose, saveTypedSubject } from './save-typed-subjects.ts'

/** The cart and its context as last read; valid while the cart's version stays the same. */
type CartSnapshot = { readonly cart: Cart; readonly context: MutationContext }

type ApplyContext = { readonly deps: Deps; readonly target: CartTarget; readonly commands: readonly CartCommand[] }

/**
 * Applies a device's mutations to a cart in order, each in a transaction that writes its effect and its result (section 7). A mutation that
 * was processed before returns its recorded result without a second effect. Returns the results in order.
 */
export const applyMutations = async (
  deps: Deps,
  target: CartTarget,
  commands: readonly CartCommand[],
): Promise<MutationResult[]> => {
  const known = await readProcessedMutations(deps.db, target, commands)
  const unrecorded = commands.filter(({ id }) => !known.has(id))
  for (const command of await mutationsForOrderedCart(deps.db, target, unrecorded))
    known.set(command.id, { bodyHash: command.bodyHash, answer: cartOrderedResult(command) })
  const fresh = unrecorded.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return commands.map((command) => replayedResult(command, known.get(command.id)))
  const batch = { deps, target, commands: fresh }
  let snapshot = await look(batch)
  const results: MutationResult[] = []
  for (const command of commands) {
    const recorded = known.get(command.id)
    if (recorded) {
      results.push(replayedResult(command, recorded))
      continue
    }
    const settled = await applyCommand(batch, command, snapshot)
    snapshot = settled.snapshot
    // One batch may contain the same id twice.
    known.set(command.id, { bodyHash: command.bodyHash, answer: settled.result })
    results.push(settled.result)
  }
  return results
}

const readSnapshot = async (
  db: Transaction | Deps['db'],
  { deps, target, commands }: ApplyContext,
): Promise<CartSnapshot> => {
  const now = deps.clock()
  const cart = (await readCart(db, target, now)) ?? emptyCart(target.job.jobId, target.orderMethod)
  const mutations = commands.flatMap((command) => command.mutations(cart))
  return { cart, context: await readMutationContext(db, target, { mutations, cart, now }) }
}

/** A cart is created for its first change, unless ordering is closed. */
const look = async (batch: ApplyContext): Promise<CartSnapshot> => {
  const { deps, target } = batch
  const snapshot = await readSnapshot(deps.db, batch)
  if (snapshot.cart.id !== null || snapshot.context.closed) return snapshot
  await ensureCart(deps.db, target, deps.clock())
  return await readSnapshot(deps.db, batch)
}

type AppliedMutation = { result: MutationResult; snapshot: CartSnapshot }

/** Another request processed the same mutation between our read and our write; the next read finds it. */
class AlreadyProcessed extends Error {
  override name = 'AlreadyProcessed'
}

/** The cart became an order between our read and our write: these mutations are for the next cart. */
class CartOrdered extends Error {
  override name = 'CartOrdered'
}

const applyCommand = async (
  batch: ApplyContext,
  command: CartCommand,
  before: CartSnapshot,
): Promise<AppliedMutation> => {
  let snapshot = before
  for (;;) {
    try {
      return await inTransaction(batch.deps.db, (tx) => settle(tx, { batch, command, snapshot }))
    } catch (error) {
      if (!(error instanceof CartOrdered || error instanceof AlreadyProcessed)) throw error
      if (error instanceof AlreadyProcessed) continue
      const [late] = await mutationsForOrderedCart(batch.deps.db, batch.target, [command])
      if (late) return { result: cartOrderedResult(late), snapshot }
      snapshot = await look(batch)
    }
  }
}

const settle = async (
  tx: Transaction,
  { batch, command, snapshot }: { batch: ApplyContext; command: CartCommand; snapshot: CartSnapshot },
): Promise<AppliedMutation> => {
  const { target } = batch
  const locked = await lock(tx, target, { cart: snapshot.cart, command })
  if (locked.recorded) return { result: replayedResult(command, locked.recorded), snapshot }
  if (locked.state === 'ordered') throw new CartOrdered()
  if (locked.version === snapshot.cart.version) return await write(tx, { batch, command, snapshot })
  // Another request came first and has committed by now; it may have processed this very mutation.
  const recorded = (await readProcessedMutations(tx, target, [command])).get(command.id)
  const fresh = await readSnapshot(tx, batch)
  return recorded
    ? { result: replayedResult(command, recorded), snapshot: fresh }
    : await write(tx, { batch, command, snapshot: fresh })
}

type Locked = { version: number; state: Cart['state']; recorded: ProcessedMutation | undefined }

type LockedRow = { version: number; state: Cart['state']; body_hash: string | null; answer: MutationResult | null }

/** Locks the cart for this transaction and checks, in the same statement, whether the mutation was processed before. */
const lock = async (
  tx: Transaction,
  cartRef: CartRef,
  { cart, command }: { cart: Cart; command: CartCommand },
): Promise<Locked> => {
  const { job, session } = cartRef
  if (cart.id === null) {
    // Where ordering is closed there may be no cart to lock; a mutation processed meanwhile still has its result.
    const processed = await readProcessedMutations(tx, cartRef, [command])
    return { version: cart.version, state: cart.state, recorded: processed.get(command.id) }
  }
  const { rows } = await sql<LockedRow>`
    select c.version, c.state, m.body_hash, m.answer
      from carts c
      left join cart_mutations m on m.studio_id = c.studio_id and m.session_id = ${session.id}
       and m.mutation_id = ${command.id}
     where c.studio_id = ${job.studioId} and c.id = ${cart.id} for update of c`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`cart ${cart.id} was read and is not there`)
  const recorded = row.answer && row.body_hash ? { bodyHash: row.body_hash, answer: row.answer } : undefined
  return { version: row.version, state: row.state, recorded }
}

/** The cart after one mutation, with the mutation as applied; or why it is rejected. */
const changed = (
  mutation: Mutation,
  { cart, context }: CartSnapshot,
): { cart: Cart; applied: Mutation } | Rejection => {
  const truth = resolveMutation(mutation, cart, context)
  if ('refused' in truth) return truth.refused
  const applied = applyMutation(cart, truth.mutation, truth.snapshot)
  return applied.ok ? { cart: applied.cart, applied: truth.mutation } : ruleRejection(applied.problem, cart.state)
}

type MutationDecision = { result: MutationResult; cart: Cart; done: readonly Mutation[] }

const decide = ({ id, mutations, autofills }: CartCommand, { cart, context }: CartSnapshot): MutationDecision => {
  const requested = mutations(cart)
  const completed = autofills ? requested.map((mutation) => autofillLine(mutation, context)) : requested
  if (completed.length === 0)
    return { result: rejectedResult(id, ruleRejection('line-unknown', cart.state)), cart, done: [] }
  let after = cart
  const done: Mutation[] = []
  for (const mutation of completed) {
    const next = changed(mutation, { cart: after, context })
    if ('problem' in next) {
      // It was in the cart when this command began: an earlier mutation of the command removed it, as happens only to add-ons.
      const wasRemovedBefore = after !== cart && next.problem === 'line-unknown'
      return {
        result: rejectedResult(id, wasRemovedBefore ? ruleRejection('add-on-needs-standard', cart.state) : next),
        cart,
        done: [],
      }
    }
    after = next.cart
    done.push(next.applied)
  }
  return { result: { id, status: 'done' }, cart: { ...after, version: cart.version + 1 }, done }
}

type SideEffectArguments = [tx: Transaction, batch: ApplyContext]

const noSideEffect = async (): Promise<boolean> => false

/** What each kind of mutation changes outside the cart. True where the context of the next mutations changed. */
const sideEffects: MutationTable<Mutation, SideEffectArguments, Promise<boolean>> = {
  'line.add': noSideEffect,
  'line.customise': noSideEffect,
  'line.quantity': noSideEffect,
  'line.remove': noSideEffect,
  'line.accept': noSideEffect,
  'cart.clear': noSideEffect,
  'service.set': noSideEffect,
  'service.remove': noSideEffect,
  'person.set': async (mutation, tx, { deps, target }) => {
    await saveTypedSubject(tx, deps, { cartRef: target, mutation })
    return true
  },
  'pose.set': async (mutation, tx, { deps, target }) => {
    await savePose(tx, deps, { cartRef: target, mutation })
    return false
  },
}

const saveSideEffects = async (tx: Transaction, batch: ApplyContext, done: readonly Mutation[]): Promise<boolean> => {
  let hasChangedContext = false
  for (const mutation of done)
    hasChangedContext = (await dispatchByKind(sideEffects, mutation, tx, batch)) || hasChangedContext
  return hasChangedContext
}

/** Writes effect, version and result in one statement: none may exist without the others. */
const write = async (
  tx: Transaction,
  { batch, command, snapshot }: { batch: ApplyContext; command: CartCommand; snapshot: CartSnapshot },
): Promise<AppliedMutation> => {
  const { deps, target } = batch
  const { studioId, jobId } = target.job
  const { result, cart, done } = decide(command, snapshot)
  const at = deps.clock()
  const cartId = snapshot.cart.id
  if (result.status === 'done' && cartId === null) throw new CartOrdered()
  const parts =
    result.status === 'done' && cartId !== null
      ? [
          ...cartWriteStatements({ studioId, cartId, before: snapshot.cart, after: cart, at }),
          sql`grown as (update carts set version = ${cart.version}, updated_at = ${at}
                         where studio_id = ${studioId} and id = ${cartId})`,
        ]
      : []
  const recorded = sql`
    recorded as (
      insert into cart_mutations (studio_id, session_id, mutation_id, job_id, cart_id, does, body_hash, status, answer, recorded_at)
      values (${studioId}, ${target.session.id}, ${command.id}, ${jobId}, ${cartId}, ${command.kind}, ${command.bodyHash},
              ${result.status}, ${JSON.stringify(result)}::jsonb, ${at})
      on conflict do nothing returning 1)`
  const { rows } = await sql`with ${sql.join([...parts, recorded])} select from recorded`.execute(tx)
  if (rows.length === 0) throw new AlreadyProcessed()
  return {
    result,
    snapshot: (await saveSideEffects(tx, batch, done)) ? await readSnapshot(tx, batch) : { ...snapshot, cart },
  }
}

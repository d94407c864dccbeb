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
type CartSnapshot = { readonly cart: Cart; readonly facts: MutationContext }

type ApplyContext = { readonly deps: Deps; readonly whose: CartTarget; readonly told: readonly CartCommand[] }

/**
 * Applies a device's mutations to a cart in order, each in a transaction that writes its effect and its result (section 7). A mutation that
 * was processed before returns its recorded result without a second effect. Returns the results in order.
 */
export const applyMutations = async (
  deps: Deps,
  whose: CartTarget,
  told: readonly CartCommand[],
): Promise<MutationResult[]> => {
  const known = await readProcessedMutations(deps.db, whose, told)
  const unheard = told.filter(({ id }) => !known.has(id))
  for (const one of await mutationsForOrderedCart(deps.db, whose, unheard))
    known.set(one.id, { bodyHash: one.bodyHash, answer: cartOrderedResult(one) })
  const fresh = unheard.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return told.map((one) => replayedResult(one, known.get(one.id)))
  const telling = { deps, whose, told: fresh }
  let seen = await look(telling)
  const results: MutationResult[] = []
  for (const one of told) {
    const recorded = known.get(one.id)
    if (recorded) {
      results.push(replayedResult(one, recorded))
      continue
    }
    const settled = await tellOne(telling, one, seen)
    seen = settled.seen
    // One batch may contain the same id twice.
    known.set(one.id, { bodyHash: one.bodyHash, answer: settled.result })
    results.push(settled.result)
  }
  return results
}

const seeIn = async (db: Transaction | Deps['db'], { deps, whose, told }: ApplyContext): Promise<CartSnapshot> => {
  const now = deps.clock()
  const cart = (await readCart(db, whose, now)) ?? emptyCart(whose.job.jobId, whose.orderMethod)
  const mutations = told.flatMap((one) => one.mutations(cart))
  return { cart, facts: await readMutationContext(db, whose, { mutations, cart, now }) }
}

/** A cart is created for its first change, unless ordering is closed. */
const look = async (telling: ApplyContext): Promise<CartSnapshot> => {
  const { deps, whose } = telling
  const seen = await seeIn(deps.db, telling)
  if (seen.cart.id !== null || seen.facts.closed) return seen
  await ensureCart(deps.db, whose, deps.clock())
  return await seeIn(deps.db, telling)
}

type AppliedMutation = { result: MutationResult; seen: CartSnapshot }

/** Another request processed the same mutation between our read and our write; the next read finds it. */
class ToldMeanwhile extends Error {
  override name = 'ToldMeanwhile'
}

/** The cart became an order between our read and our write: these mutations are for the next cart. */
class CartOrdered extends Error {
  override name = 'CartOrdered'
}

const tellOne = async (telling: ApplyContext, one: CartCommand, before: CartSnapshot): Promise<AppliedMutation> => {
  let seen = before
  for (;;) {
    try {
      return await inTransaction(telling.deps.db, (tx) => settle(tx, { telling, one, seen }))
    } catch (error) {
      if (!(error instanceof CartOrdered || error instanceof ToldMeanwhile)) throw error
      if (error instanceof ToldMeanwhile) continue
      const [late] = await mutationsForOrderedCart(telling.deps.db, telling.whose, [one])
      if (late) return { result: cartOrderedResult(late), seen }
      seen = await look(telling)
    }
  }
}

const settle = async (
  tx: Transaction,
  { telling, one, seen }: { telling: ApplyContext; one: CartCommand; seen: CartSnapshot },
): Promise<AppliedMutation> => {
  const { whose } = telling
  const locked = await lock(tx, whose, { cart: seen.cart, one })
  if (locked.recorded) return { result: replayedResult(one, locked.recorded), seen }
  if (locked.state === 'ordered') throw new CartOrdered()
  if (locked.version === seen.cart.version) return await write(tx, { telling, one, seen })
  // Another request came first and has committed by now; it may have processed this very mutation.
  const recorded = (await readProcessedMutations(tx, whose, [one])).get(one.id)
  const fresh = await seeIn(tx, telling)
  return recorded
    ? { result: replayedResult(one, recorded), seen: fresh }
    : await write(tx, { telling, one, seen: fresh })
}

type Locked = { version: number; state: Cart['state']; recorded: ProcessedMutation | undefined }

type LockedRow = { version: number; state: Cart['state']; body_hash: string | null; answer: MutationResult | null }

/** Locks the cart for this transaction and checks, in the same statement, whether the mutation was processed before. */
const lock = async (
  tx: Transaction,
  whose: CartRef,
  { cart, one }: { cart: Cart; one: CartCommand },
): Promise<Locked> => {
  const { job, session } = whose
  if (cart.id === null) {
    // Where ordering is closed there may be no cart to lock; a mutation processed meanwhile still has its result.
    const told = await readProcessedMutations(tx, whose, [one])
    return { version: cart.version, state: cart.state, recorded: told.get(one.id) }
  }
  const { rows } = await sql<LockedRow>`
    select c.version, c.state, m.body_hash, m.answer
      from carts c
      left join cart_mutations m on m.studio_id = c.studio_id and m.session_id = ${session.id}
       and m.mutation_id = ${one.id}
     where c.studio_id = ${job.studioId} and c.id = ${cart.id} for update of c`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`cart ${cart.id} was read and is not there`)
  const recorded = row.answer && row.body_hash ? { bodyHash: row.body_hash, answer: row.answer } : undefined
  return { version: row.version, state: row.state, recorded }
}

/** The cart after one mutation, with the mutation as applied; or why it is rejected. */
const changed = (mutation: Mutation, { cart, facts }: CartSnapshot): { cart: Cart; taken: Mutation } | Rejection => {
  const truth = resolveMutation(mutation, cart, facts)
  if ('refused' in truth) return truth.refused
  const applied = applyMutation(cart, truth.mutation, truth.snapshot)
  return applied.ok ? { cart: applied.cart, taken: truth.mutation } : ruleRejection(applied.problem, cart.state)
}

type MutationDecision = { result: MutationResult; cart: Cart; done: readonly Mutation[] }

const decide = (
  { id, mutations, autofills: fillsIn }: CartCommand,
  { cart, facts }: CartSnapshot,
): MutationDecision => {
  const told = mutations(cart)
  const made = fillsIn ? told.map((one) => autofillLine(one, facts)) : told
  if (made.length === 0)
    return { result: rejectedResult(id, ruleRejection('line-unknown', cart.state)), cart, done: [] }
  let after = cart
  const done: Mutation[] = []
  for (const mutation of made) {
    const next = changed(mutation, { cart: after, facts })
    if ('problem' in next) {
      // It was in the cart when this command began: an earlier mutation of the command removed it, as happens only to add-ons.
      const isFallen = after !== cart && next.problem === 'line-unknown'
      return {
        result: rejectedResult(id, isFallen ? ruleRejection('add-on-needs-standard', cart.state) : next),
        cart,
        done: [],
      }
    }
    after = next.cart
    done.push(next.taken)
  }
  return { result: { id, status: 'done' }, cart: { ...after, version: cart.version + 1 }, done }
}

type SideEffectArguments = [tx: Transaction, telling: ApplyContext]

const nothingBeside = async (): Promise<boolean> => false

/** What each kind of mutation changes outside the cart. True where the context of the next mutations changed. */
const besides: MutationTable<Mutation, SideEffectArguments, Promise<boolean>> = {
  'line.add': nothingBeside,
  'line.customise': nothingBeside,
  'line.quantity': nothingBeside,
  'line.remove': nothingBeside,
  'line.accept': nothingBeside,
  'cart.clear': nothingBeside,
  'service.set': nothingBeside,
  'service.remove': nothingBeside,
  'person.set': async (mutation, tx, { deps, whose }) => {
    await saveTypedSubject(tx, deps, { whose, mutation })
    return true
  },
  'pose.set': async (mutation, tx, { deps, whose }) => {
    await savePose(tx, deps, { whose, mutation })
    return false
  },
}

const keepBeside = async (tx: Transaction, telling: ApplyContext, done: readonly Mutation[]): Promise<boolean> => {
  let isOther = false
  for (const mutation of done) isOther = (await dispatchByKind(besides, mutation, tx, telling)) || isOther
  return isOther
}

/** Writes effect, version and result in one statement: none may exist without the others. */
const write = async (
  tx: Transaction,
  { telling, one, seen }: { telling: ApplyContext; one: CartCommand; seen: CartSnapshot },
): Promise<AppliedMutation> => {
  const { deps, whose } = telling
  const { studioId, jobId } = whose.job
  const { result, cart, done } = decide(one, seen)
  const at = deps.clock()
  const cartId = seen.cart.id
  if (result.status === 'done' && cartId === null) throw new CartOrdered()
  const parts =
    result.status === 'done' && cartId !== null
      ? [
          ...cartWriteStatements({ studioId, cartId, before: seen.cart, after: cart, at }),
          sql`grown as (update carts set version = ${cart.version}, updated_at = ${at}
                         where studio_id = ${studioId} and id = ${cartId})`,
        ]
      : []
  const recorded = sql`
    recorded as (
      insert into cart_mutations (studio_id, session_id, mutation_id, job_id, cart_id, does, body_hash, status, answer, recorded_at)
      values (${studioId}, ${whose.session.id}, ${one.id}, ${jobId}, ${cartId}, ${one.kind}, ${one.bodyHash},
              ${result.status}, ${JSON.stringify(result)}::jsonb, ${at})
      on conflict do nothing returning 1)`
  const { rows } = await sql`with ${sql.join([...parts, recorded])} select from recorded`.execute(tx)
  if (rows.length === 0) throw new ToldMeanwhile()
  return { result, seen: (await keepBeside(tx, telling, done)) ? await seeIn(tx, telling) : { ...seen, cart } }
}

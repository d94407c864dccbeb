import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { applyMutation } from '#domain/cart/cart-rules.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { forKind, type PerKind } from '#domain/cart/mutation-kinds.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { ensureCart } from '../store/live-carts.ts'
import { type CartOf, readCart } from '../store/read-cart.ts'
import { cartWriting } from '../store/write-cart.ts'
import { filledIn } from './autofill-line.ts'
import { type CartTold, lateAnswer, tooLate } from './cart-closed.ts'
import { type Refusal, refusedAs, type Told } from './command.ts'
import { type Facts, readFacts } from './mutation-context.ts'
import { ruleRefusal } from './mutation-rejections.ts'
import { type RecordedResult, recordedResults, resultOf } from './processed-mutations.ts'
import { truthOf } from './resolve-mutation.ts'
import { keepPerson, keepPose } from './save-typed-subjects.ts'

/** The cart and what is true around it, as last seen; good for as long as the cart's version stays. */
type Seen = { readonly cart: Cart; readonly facts: Facts }

type Telling = { readonly deps: Deps; readonly whose: CartTold; readonly told: readonly Told[] }

/**
 * Tells a cart what a device has done, in order: each in a transaction of its own that writes its effect and its result (section
 * 7). What was told before has its recorded result again, and no second effect. Gives the results in order.
 */
export const tellCart = async (deps: Deps, whose: CartTold, told: readonly Told[]): Promise<MutationResult[]> => {
  const known = await recordedResults(deps.db, whose, told)
  const unheard = told.filter(({ id }) => !known.has(id))
  for (const one of await tooLate(deps.db, whose, unheard))
    known.set(one.id, { bodyHash: one.bodyHash, answer: lateAnswer(one) })
  const fresh = unheard.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return told.map((one) => resultOf(one, known.get(one.id)))
  const telling = { deps, whose, told: fresh }
  let seen = await look(telling)
  const results: MutationResult[] = []
  for (const one of told) {
    const recorded = known.get(one.id)
    if (recorded) {
      results.push(resultOf(one, recorded))
      continue
    }
    const settled = await tellOne(telling, one, seen)
    seen = settled.seen
    // The same id may stand twice in one batch.
    known.set(one.id, { bodyHash: one.bodyHash, answer: settled.result })
    results.push(settled.result)
  }
  return results
}

const seeIn = async (db: Transaction | Deps['db'], { deps, whose, told }: Telling): Promise<Seen> => {
  const now = deps.clock()
  const cart = (await readCart(db, whose, now)) ?? emptyCart(whose.job.jobId, whose.orderMethod)
  const mutations = told.flatMap((one) => one.mutations(cart))
  return { cart, facts: await readFacts(db, whose, { mutations, cart, now }) }
}

/** A cart is made for its first change, but none where nobody can order. */
const look = async (telling: Telling): Promise<Seen> => {
  const { deps, whose } = telling
  const seen = await seeIn(deps.db, telling)
  if (seen.cart.id !== null || seen.facts.closed) return seen
  await ensureCart(deps.db, whose, deps.clock())
  return await seeIn(deps.db, telling)
}

type Settled = { result: MutationResult; seen: Seen }

/** Somebody settled the same mutation between our look and our writing; another look finds it. */
class ToldMeanwhile extends Error {
  override name = 'ToldMeanwhile'
}

/** The cart became an order between our look and our writing: what comes now is for the next cart. */
class CartOrdered extends Error {
  override name = 'CartOrdered'
}

const tellOne = async (telling: Telling, one: Told, before: Seen): Promise<Settled> => {
  let seen = before
  for (;;) {
    try {
      return await inTransaction(telling.deps.db, (tx) => settle(tx, { telling, one, seen }))
    } catch (error) {
      if (!(error instanceof CartOrdered || error instanceof ToldMeanwhile)) throw error
      if (error instanceof ToldMeanwhile) continue
      const [late] = await tooLate(telling.deps.db, telling.whose, [one])
      if (late) return { result: lateAnswer(late), seen }
      seen = await look(telling)
    }
  }
}

const settle = async (
  tx: Transaction,
  { telling, one, seen }: { telling: Telling; one: Told; seen: Seen },
): Promise<Settled> => {
  const { whose } = telling
  const locked = await lock(tx, whose, { cart: seen.cart, one })
  if (locked.recorded) return { result: resultOf(one, locked.recorded), seen }
  if (locked.state === 'ordered') throw new CartOrdered()
  if (locked.version === seen.cart.version) return await write(tx, { telling, one, seen })
  // Another request came between: its writing is done now, and with it perhaps this very mutation.
  const recorded = (await recordedResults(tx, whose, [one])).get(one.id)
  const fresh = await seeIn(tx, telling)
  return recorded ? { result: resultOf(one, recorded), seen: fresh } : await write(tx, { telling, one, seen: fresh })
}

type Locked = { version: number; state: Cart['state']; recorded: RecordedResult | undefined }

type LockedRow = { version: number; state: Cart['state']; body_hash: string | null; answer: MutationResult | null }

/** Holds the cart for this transaction and asks, in the same statement, whether the mutation was told before. */
const lock = async (tx: Transaction, whose: CartOf, { cart, one }: { cart: Cart; one: Told }): Promise<Locked> => {
  const { job, session } = whose
  if (cart.id === null) {
    // Where nobody can order there may be no cart to hold; what was told meanwhile has its answer all the same.
    const told = await recordedResults(tx, whose, [one])
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

/** What the cart becomes by one mutation, with the mutation as it was taken; or why it may not. */
const changed = (mutation: Mutation, { cart, facts }: Seen): { cart: Cart; taken: Mutation } | Refusal => {
  const truth = truthOf(mutation, cart, facts)
  if ('refused' in truth) return truth.refused
  const applied = applyMutation(cart, truth.mutation, truth.snapshot)
  return applied.ok ? { cart: applied.cart, taken: truth.mutation } : ruleRefusal(applied.problem, cart.state)
}

type Decided = { result: MutationResult; cart: Cart; done: readonly Mutation[] }

const decide = ({ id, mutations, fillsIn }: Told, { cart, facts }: Seen): Decided => {
  const told = mutations(cart)
  const made = fillsIn ? told.map((one) => filledIn(one, facts)) : told
  if (made.length === 0) return { result: refusedAs(id, ruleRefusal('line-unknown', cart.state)), cart, done: [] }
  let after = cart
  const done: Mutation[] = []
  for (const mutation of made) {
    const next = changed(mutation, { cart: after, facts })
    if ('problem' in next) {
      // It was in the cart when this change began: what went before made it fall, as only add-ons do.
      const isFallen = after !== cart && next.problem === 'line-unknown'
      return {
        result: refusedAs(id, isFallen ? ruleRefusal('add-on-needs-standard', cart.state) : next),
        cart,
        done: [],
      }
    }
    after = next.cart
    done.push(next.taken)
  }
  return { result: { id, status: 'done' }, cart: { ...after, version: cart.version + 1 }, done }
}

type Keeping = [tx: Transaction, telling: Telling]

const nothingBeside = async (): Promise<boolean> => false

/** What each kind changes beside the cart; whether that was a change to what the next ones are held against. */
const besides: PerKind<Mutation, Keeping, Promise<boolean>> = {
  'line.add': nothingBeside,
  'line.customise': nothingBeside,
  'line.quantity': nothingBeside,
  'line.remove': nothingBeside,
  'line.accept': nothingBeside,
  'cart.clear': nothingBeside,
  'service.set': nothingBeside,
  'service.remove': nothingBeside,
  'person.set': async (mutation, tx, { deps, whose }) => {
    await keepPerson(tx, deps, { whose, mutation })
    return true
  },
  'pose.set': async (mutation, tx, { deps, whose }) => {
    await keepPose(tx, deps, { whose, mutation })
    return false
  },
}

const keepBeside = async (tx: Transaction, telling: Telling, done: readonly Mutation[]): Promise<boolean> => {
  let isOther = false
  for (const mutation of done) isOther = (await forKind(besides, mutation, tx, telling)) || isOther
  return isOther
}

/** Effect, version and result in one statement: they are nothing without each other. */
const write = async (
  tx: Transaction,
  { telling, one, seen }: { telling: Telling; one: Told; seen: Seen },
): Promise<Settled> => {
  const { deps, whose } = telling
  const { studioId, jobId } = whose.job
  const { result, cart, done } = decide(one, seen)
  const at = deps.clock()
  const cartId = seen.cart.id
  if (result.status === 'done' && cartId === null) throw new CartOrdered()
  const parts =
    result.status === 'done' && cartId !== null
      ? [
          ...cartWriting({ studioId, cartId, before: seen.cart, after: cart, at }),
          sql`grown as (update carts set version = ${cart.version}, updated_at = ${at}
                         where studio_id = ${studioId} and id = ${cartId})`,
        ]
      : []
  const recorded = sql`
    recorded as (
      insert into cart_mutations (studio_id, session_id, mutation_id, job_id, cart_id, does, body_hash, status, answer, recorded_at)
      values (${studioId}, ${whose.session.id}, ${one.id}, ${jobId}, ${cartId}, ${one.does}, ${one.bodyHash},
              ${result.status}, ${JSON.stringify(result)}::jsonb, ${at})
      on conflict do nothing returning 1)`
  const { rows } = await sql`with ${sql.join([...parts, recorded])} select from recorded`.execute(tx)
  if (rows.length === 0) throw new ToldMeanwhile()
  return { result, seen: (await keepBeside(tx, telling, done)) ? await seeIn(tx, telling) : { ...seen, cart } }
}

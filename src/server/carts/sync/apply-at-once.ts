import { type SqlBool, sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { isConflict, isForeignKeyViolation, isUniqueViolation } from '#server/database/statement-errors.ts'
import type { Deps } from '#server/deps.ts'
import { changesOfJob } from '#server/jobs/store/job-changes.ts'
import { cartWriteStatements, newRowIds, type RowIds, withRowIds } from '../store/write-cart.ts'
import { applyToSnapshot, type CartSnapshot } from './apply-command.ts'
import type { CartTarget } from './cart-closed.ts'
import type { CartCommand } from './command.ts'
import { hasSideEffects } from './mutation-handlers.ts'

/**
 * Whether mutations may remove something and add it again. One write would keep its row, and therefore its old position
 * in the list.
 */
const mayReplace = (mutations: readonly Mutation[], { cartPackages }: Cart): boolean => {
  const kinds = mutations.map((mutation) => mutation.do)
  const replacesLine = mutations.some(
    (mutation) => mutation.do === 'line.add' && cartPackages.some(({ lineId }) => lineId === mutation.lineId),
  )
  // A service is removed with its line, or by another service of its kind for the same subject.
  return replacesLine || (kinds.length > 1 && kinds.includes('service.set'))
}

type Outcome = { readonly results: readonly MutationResult[]; readonly cart: Cart }

/** Applies the commands one after the other; undefined if one of them is rejected, or changes something besides the cart. */
const applyAll = (commands: readonly CartCommand[], snapshot: CartSnapshot): Outcome | undefined => {
  let { cart } = snapshot
  const results: MutationResult[] = []
  const mutations: Mutation[] = []
  for (const command of commands) {
    const { result, cart: after, appliedMutations } = applyToSnapshot(command, { ...snapshot, cart })
    if (result.status !== 'done' || appliedMutations.some(hasSideEffects)) return undefined
    cart = after
    results.push(result)
    mutations.push(...appliedMutations)
  }
  return mayReplace(mutations, snapshot.cart) ? undefined : { results, cart }
}

/** `changes`: the number of changes of the job when cart and context were read. */
type Batch = { readonly target: CartTarget; readonly changes: number; readonly commands: readonly CartCommand[] }

/**
 * Selects the cart's id and locks it, or creates the cart. Empty if the cart is not open, if it or its job has changed
 * since it was read, or if a mutation was processed before.
 */
const lockedCart = (
  { target: { session, job, orderMethod }, changes, commands }: Batch,
  { before, after, at }: { before: Cart; after: Cart; at: Date },
) => {
  // An array, for which the planner chooses the primary key: other sets of ids would be joined with all mutations of the session.
  const ids = `{${commands.map(({ id }) => id).join()}}`
  const isUnchanged = sql<SqlBool>`
    ${changesOfJob(sql`${job.studioId}::bigint`, sql`${job.jobId}::bigint`)} = ${changes}::bigint and not exists (
    select from cart_mutations m
     where m.studio_id = ${job.studioId} and m.session_id = ${session.id}
       and m.mutation_id = any(${ids}::text::uuid[]))`
  return before.id === null
    ? sql`insert into carts (studio_id, session_id, job_id, order_method, version, created_at, updated_at)
          select ${job.studioId}::bigint, ${session.id}::bigint, ${job.jobId}::bigint, ${orderMethod}::text, ${after.version}::integer, ${at}::timestamptz, ${at}::timestamptz
           where ${isUnchanged}
          on conflict (studio_id, session_id, job_id, order_method) where state <> 'ordered' do nothing
          returning id`
    : sql`select c.id from carts c
           where c.studio_id = ${job.studioId} and c.id = ${before.id} and c.version = ${before.version} and c.state = 'open'
             and ${isUnchanged}
             for update`
}

/**
 * Applies mutations to a cart as it was read, in one statement that writes their effects, results and the new version.
 * Returns their results and the cart, whose new services have no ids; undefined if nothing was written: because the cart
 * or its job has changed, or a mutation is rejected or was processed before. They then have to be applied one by one.
 */
export const applyAtOnce = async (
  { db, clock }: Deps,
  batch: Batch,
  snapshot: CartSnapshot,
): Promise<Outcome | undefined> => {
  const { commands } = batch
  const before = snapshot.cart
  const { session, job, cartId } = batch.target
  const isOfCart = cartId === undefined || cartId === before.id
  if (!isOfCart || before.state !== 'open' || new Set(commands.map(({ id }) => id)).size < commands.length)
    return undefined
  const outcome = applyAll(commands, snapshot)
  if (!outcome) return undefined
  const { studioId, jobId } = job
  const { cart: after, results } = outcome
  const at = clock()
  const records = commands.map(({ id, kind, bodyHash }, index) => ({
    id,
    kind,
    hash: bodyHash,
    answer: results[index],
  }))
  const writes = cartWriteStatements({
    ...{ studioId, before, after, at },
    cartId: sql`(select id from locked)`,
    onlyIf: sql`exists (select from locked)`,
  })
  const raisedVersion = sql`
    raised_version as (update carts c set version = ${after.version}, updated_at = ${at} from locked
               where c.studio_id = ${studioId} and c.id = locked.id)`
  const recorded = sql`
    recorded as (
      insert into cart_mutations (studio_id, session_id, mutation_id, job_id, cart_id, does, body_hash, status, answer, recorded_at)
      select ${studioId}::bigint, ${session.id}::bigint, x.id, ${jobId}::bigint, locked.id, x.kind, x.hash, 'done', x.answer, ${at}::timestamptz
        from locked cross join jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as x(id uuid, kind text, hash text, answer jsonb)
      returning cart_id)`
  const locked = sql`locked as (${lockedCart(batch, { before, after, at })})`
  const statements = [locked, ...writes, ...(before.id === null ? [] : [raisedVersion]), recorded]
  try {
    const { rows } = await sql<{ cart_id: number; row_ids: RowIds | null }>`
      with ${sql.join(statements)} select cart_id, ${newRowIds({ before, after })} as row_ids from recorded limit 1`.execute(
      db,
    )
    const [row] = rows
    if (!row) return undefined
    const cart = row.row_ids ? withRowIds({ before, after }, row.row_ids) : after
    return { results, cart: { ...cart, id: row.cart_id } }
  } catch (error) {
    // Another request processed one of the mutations meanwhile, locked the same rows in another order, or deleted one of them.
    if (isUniqueViolation(error) || isConflict(error) || isForeignKeyViolation(error)) return undefined
    throw error
  }
}

import { sql } from 'kysely'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { changesOfJob, readJobChanges } from '#server/jobs/store/job-changes.ts'
import { ensureCart } from '../store/live-carts.ts'
import { type CartRef, readCart } from '../store/read-cart.ts'
import { cartWriteStatements } from '../store/write-cart.ts'
import { applyToSnapshot, type CartSnapshot } from './apply-command.ts'
import { type CartTarget, cartOrderedResult, commandsForOrderedCart } from './cart-closed.ts'
import type { CartCommand } from './command.ts'
import { saveSideEffects } from './mutation-handlers.ts'
import { type ProcessedMutation, readProcessedMutations, replayedResult } from './processed-mutations.ts'
import { readMutationContext } from './read-mutation-context.ts'

type ApplyContext = { readonly deps: Deps; readonly target: CartTarget; readonly commands: readonly CartCommand[] }

/**
 * Applies a device's mutations to a cart in order, each in a transaction that writes its effect and its result (section
 * 7), and returns the results in order. A mutation that was processed before gets its recorded result and has no second
 * effect.
 */
export const applyMutations = async (
  deps: Deps,
  target: CartTarget,
  commands: readonly CartCommand[],
): Promise<MutationResult[]> => {
  const processed = await readProcessedMutations(deps.db, target, commands)
  const newCommands = commands.filter(({ id }) => !processed.has(id))
  for (const command of await commandsForOrderedCart(deps.db, target, newCommands))
    processed.set(command.id, { bodyHash: command.bodyHash, answer: cartOrderedResult(command) })
  const unprocessed = newCommands.filter(({ id }) => !processed.has(id))
  if (unprocessed.length === 0) return commands.map((command) => replayedResult(command, processed.get(command.id)))
  const batch = { deps, target, commands: unprocessed }
  let snapshot = await readOrCreateCart(batch)
  const results: MutationResult[] = []
  for (const command of commands) {
    const recorded = processed.get(command.id)
    if (recorded) {
      results.push(replayedResult(command, recorded))
      continue
    }
    const applied = await applyCommand(batch, command, snapshot)
    snapshot = applied.snapshot
    // One batch may contain the same id twice.
    processed.set(command.id, { bodyHash: command.bodyHash, answer: applied.result })
    results.push(applied.result)
  }
  return results
}

/** `changes`: the number of changes of the job before anything else was read. */
type DatedSnapshot = CartSnapshot & { readonly changes: number }

const readSnapshot = async (
  db: Transaction | Deps['db'],
  { deps, target, commands }: ApplyContext,
): Promise<DatedSnapshot> => {
  const now = deps.clock()
  const changes = await readJobChanges(db, target.job)
  const cart = (await readCart(db, target, now)) ?? emptyCart(target.job.jobId, target.orderMethod)
  const mutations = commands.flatMap((command) => command.mutations(cart))
  return { changes, cart, context: await readMutationContext(db, target, { mutations, cart, now }) }
}

/** Reads the cart, and creates it for its first change unless ordering is closed. */
const readOrCreateCart = async (batch: ApplyContext): Promise<DatedSnapshot> => {
  const { deps, target } = batch
  const snapshot = await readSnapshot(deps.db, batch)
  if (snapshot.cart.id !== null || snapshot.context.closed) return snapshot
  await ensureCart(deps.db, target, deps.clock())
  return await readSnapshot(deps.db, batch)
}

type AppliedMutation = { result: MutationResult; snapshot: DatedSnapshot }

/** Another request processed the same mutation after this one read the cart; the next read finds it. */
class AlreadyProcessed extends Error {
  override name = 'AlreadyProcessed'
}

/** The cart became an order after this request read it: these mutations are for the next cart. */
class CartOrdered extends Error {
  override name = 'CartOrdered'
}

const applyCommand = async (
  batch: ApplyContext,
  command: CartCommand,
  before: DatedSnapshot,
): Promise<AppliedMutation> => {
  let snapshot = before
  for (;;) {
    try {
      return await inTransaction(batch.deps.db, (tx) => applyLocked(tx, { batch, command, snapshot }))
    } catch (error) {
      if (!(error instanceof CartOrdered || error instanceof AlreadyProcessed)) throw error
      if (error instanceof AlreadyProcessed) continue
      const [orderedCommand] = await commandsForOrderedCart(batch.deps.db, batch.target, [command])
      if (orderedCommand) return { result: cartOrderedResult(orderedCommand), snapshot }
      snapshot = await readOrCreateCart(batch)
    }
  }
}

const applyLocked = async (
  tx: Transaction,
  { batch, command, snapshot }: { batch: ApplyContext; command: CartCommand; snapshot: DatedSnapshot },
): Promise<AppliedMutation> => {
  const { target } = batch
  const lockedCart = await lockCart(tx, target, { snapshot, command })
  if (lockedCart.recorded) return { result: replayedResult(command, lockedCart.recorded), snapshot }
  if (lockedCart.state === 'ordered') throw new CartOrdered()
  if (lockedCart.version === snapshot.cart.version && lockedCart.changes === snapshot.changes)
    return await writeResult(tx, { batch, command, snapshot })
  // Another request changed the cart or its job in the meantime. It may have processed the same mutation.
  const recorded = (await readProcessedMutations(tx, target, [command])).get(command.id)
  const currentSnapshot = await readSnapshot(tx, batch)
  return recorded
    ? { result: replayedResult(command, recorded), snapshot: currentSnapshot }
    : await writeResult(tx, { batch, command, snapshot: currentSnapshot })
}

type LockedCart = {
  version: number
  state: Cart['state']
  /** The number of changes of the job. */
  changes: number
  recorded: ProcessedMutation | undefined
}

type LockedRow = Omit<LockedCart, 'recorded'> & { body_hash: string | null; answer: MutationResult | null }

/** Locks the cart for this transaction and checks, in the same statement, whether the mutation was processed before. */
const lockCart = async (
  tx: Transaction,
  cartRef: CartRef,
  { snapshot: { cart, changes }, command }: { snapshot: DatedSnapshot; command: CartCommand },
): Promise<LockedCart> => {
  const { job, session } = cartRef
  if (cart.id === null) {
    // Where ordering is closed there may be no cart to lock, but a mutation that was processed meanwhile has a recorded
    // result.
    const processed = await readProcessedMutations(tx, cartRef, [command])
    return { version: cart.version, state: cart.state, changes, recorded: processed.get(command.id) }
  }
  const { rows } = await sql<LockedRow>`
    select c.version, c.state, ${changesOfJob(sql`c.studio_id`, sql`c.job_id`)} as changes, m.body_hash, m.answer
      from carts c
      left join cart_mutations m on m.studio_id = c.studio_id and m.session_id = ${session.id}
       and m.mutation_id = ${command.id}
     where c.studio_id = ${job.studioId} and c.id = ${cart.id} for update of c`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`cart ${cart.id} was read, but no longer exists`)
  const recorded = row.answer && row.body_hash ? { bodyHash: row.body_hash, answer: row.answer } : undefined
  return { version: row.version, state: row.state, changes: row.changes, recorded }
}

/** Writes effect, version and result in one statement, so that none is stored without the others. */
const writeResult = async (
  tx: Transaction,
  { batch, command, snapshot }: { batch: ApplyContext; command: CartCommand; snapshot: DatedSnapshot },
): Promise<AppliedMutation> => {
  const { deps, target } = batch
  const { studioId, jobId } = target.job
  const { result, cart, appliedMutations } = applyToSnapshot(command, snapshot)
  const at = deps.clock()
  const cartId = snapshot.cart.id
  if (result.status === 'done' && cartId === null) throw new CartOrdered()
  const statements =
    result.status === 'done' && cartId !== null
      ? [
          ...cartWriteStatements({ studioId, cartId, before: snapshot.cart, after: cart, at, onlyIf: sql`true` }),
          sql`raised_version as (update carts set version = ${cart.version}, updated_at = ${at}
                         where studio_id = ${studioId} and id = ${cartId})`,
        ]
      : []
  const recorded = sql`
    recorded as (
      insert into cart_mutations (studio_id, session_id, mutation_id, job_id, cart_id, does, body_hash, status, answer, recorded_at)
      values (${studioId}, ${target.session.id}, ${command.id}, ${jobId}, ${cartId}, ${command.kind}, ${command.bodyHash},
              ${result.status}, ${JSON.stringify(result)}::jsonb, ${at})
      on conflict do nothing returning 1)`
  const { rows } = await sql`with ${sql.join([...statements, recorded])} select from recorded`.execute(tx)
  if (rows.length === 0) throw new AlreadyProcessed()
  return {
    result,
    snapshot: (await saveSideEffects(tx, batch, appliedMutations))
      ? await readSnapshot(tx, batch)
      : { ...snapshot, cart },
  }
}

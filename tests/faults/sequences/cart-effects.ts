import type { Db } from '#server/database/database.ts'

/**
 * Effects of a session's mutations in the database. `done`: those recorded as done. `changes`: how often the cart changed (its version
 * grows by one with each, from 1). `lines`: the lines in it.
 */
export type CartEffects = { done: string[]; changes: number; lines: string[] }

/** Throws when the mutations belong to no cart or to several. */
export const readCartEffects = async (db: Db, mutationIds: readonly string[]): Promise<CartEffects> => {
  const recorded = await db
    .selectFrom('cart_mutations')
    .select(['cart_id', 'session_id'])
    .where('mutation_id', 'in', [...mutationIds])
    .distinct()
    .execute()
  const [cart] = recorded
  if (!cart?.cart_id || recorded.length > 1) throw new Error(`of ${recorded.length} carts: ${JSON.stringify(recorded)}`)
  const { cart_id: id, session_id } = cart
  // Of the whole session, to detect the effect of a mutation that the proxy never saw.
  const done = await db
    .selectFrom('cart_mutations')
    .select('mutation_id')
    .where('session_id', '=', session_id)
    .where('status', '=', 'done')
    .execute()
  const { version } = await db.selectFrom('carts').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  const lines = await db.selectFrom('cart_packages').select('line_id').where('cart_id', '=', id).execute()
  return {
    done: done.map(({ mutation_id }) => mutation_id),
    changes: version - 1,
    lines: lines.map(({ line_id }) => line_id),
  }
}

import type { Db } from '#server/database/database.ts'

/**
 * What the database holds of a visit's mutations: `done`, those with a recorded result that they were done; `changes`, how often their cart
 * changed at all (its version grows with each, from 1); `lines`, what lies in it.
 */
export type CartEffects = { done: string[]; changes: number; lines: string[] }

/** Throws where the mutations belong to more than one cart, or to none. */
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
  // Of the whole visit: one that the line never saw would be an effect of nothing.
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

import type { Db } from '#server/database/database.ts'

/**
 * Effects of a session's mutations in the database. `done`: the ids of mutations recorded as done. `changes`: how often the cart changed,
 * read from its version, which starts at 1. `lines`: the ids of the cart's lines.
 */
export type CartEffects = { done: string[]; changes: number; lines: string[] }

/** Throws when the mutations belong to no cart or to several. */
export const readCartEffects = async (db: Db, mutationIds: readonly string[]): Promise<CartEffects> => {
  const cartRows = await db
    .selectFrom('cart_mutations')
    .select(['cart_id', 'session_id'])
    .where('mutation_id', 'in', [...mutationIds])
    .distinct()
    .execute()
  const [cart] = cartRows
  if (!cart?.cart_id || cartRows.length > 1)
    throw new Error(`there are ${cartRows.length} carts: ${JSON.stringify(cartRows)}`)
  const { cart_id: id, session_id } = cart
  // All mutations of the session, to detect one that the proxy never recorded.
  const doneRows = await db
    .selectFrom('cart_mutations')
    .select('mutation_id')
    .where('session_id', '=', session_id)
    .where('status', '=', 'done')
    .execute()
  const { version } = await db.selectFrom('carts').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  const lines = await db.selectFrom('cart_packages').select('line_id').where('cart_id', '=', id).execute()
  return {
    done: doneRows.map(({ mutation_id }) => mutation_id),
    changes: version - 1,
    lines: lines.map(({ line_id }) => line_id),
  }
}

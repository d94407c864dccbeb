import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { insertInitialCatalogue } from './initial-catalogue.ts'

/** Whether there was ever a catalogue or a studio: what administrators took away does not come back. */
export const isPlatformInitialized = async (db: Db | Transaction): Promise<boolean> => {
  const { rows } = await sql<{ begun: boolean }>`
    select exists (select from products) or exists (select from shipping_options) or exists (select from studios) as begun`.execute(
    db,
  )
  return rows[0]?.begun ?? false
}

/** Gives an empty database the catalogue a platform begins with; gives false, and does nothing, in any other. */
export const initializePlatform = async ({ db }: Pick<Deps, 'db'>): Promise<boolean> => {
  if (await isPlatformInitialized(db)) return false
  return await inTransaction(db, async (tx) => {
    // Two servers may have started on the same empty database: the second finds the first one's.
    await sql`lock table products in share row exclusive mode`.execute(tx)
    if (await isPlatformInitialized(tx)) return false
    await insertInitialCatalogue(tx)
    return true
  })
}

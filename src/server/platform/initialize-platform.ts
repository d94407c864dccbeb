import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { insertInitialCatalogue } from './initial-catalogue.ts'

/**
 * Whether the database has a product, a shipping option or a studio. Any of them counts, so that the initial catalogue
 * is not inserted again after administrators deleted parts of it.
 */
export const isPlatformInitialized = async (db: Db | Transaction): Promise<boolean> => {
  const { rows } = await sql<{ initialized: boolean }>`
    select exists (select from products) or exists (select from shipping_options) or exists (select from studios) as initialized`.execute(
    db,
  )
  return rows[0]?.initialized ?? false
}

/** Inserts the initial catalogue into an empty database. Otherwise does nothing and returns false. */
export const initializePlatform = async ({ db }: Pick<Deps, 'db'>): Promise<boolean> => {
  if (await isPlatformInitialized(db)) return false
  return await inTransaction(db, async (tx) => {
    // Two servers may start on the same empty database: the second waits and finds it initialized.
    await sql`lock table products in share row exclusive mode`.execute(tx)
    if (await isPlatformInitialized(tx)) return false
    await insertInitialCatalogue(tx)
    return true
  })
}

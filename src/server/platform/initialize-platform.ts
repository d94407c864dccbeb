import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { insertInitialCatalogue } from './initial-catalogue.ts'

/** Whether there was ever a catalogue or a studio, so that what administrators deleted is not created again. */
export const isPlatformInitialized = async (db: Db | Transaction): Promise<boolean> => {
  const { rows } = await sql<{ begun: boolean }>`
    select exists (select from products) or exists (select from shipping_options) or exists (select from studios) as begun`.execute(
    db,
  )
  return rows[0]?.begun ?? false
}

/** Inserts the initial catalogue into an empty database; returns false and does nothing otherwise. */
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

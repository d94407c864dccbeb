import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#server/database/database.ts'
import { readSettings, type Settings } from '#server/env.ts'
import { createPostgresDatabase } from '../database/create-postgres-database.ts'
import { withProductDatabase } from './product-database.ts'
import { freePort, type Product, type ProductOptions, startProduct } from './start-product.ts'

export type EmptyProduct = Product & { engine: 'embedded' | 'postgres'; remove: () => Promise<void> }

/** Writes into its database what it shall have; by its settings tokens are signed. */
type SeedDatabase = (database: Database, settings: Settings) => Promise<void>

type EmptyProductOptions = {
  /** A PostgreSQL to make its database on; the embedded one where none is named. */
  server: string | undefined
  /** At its second start it has nothing left in memory of making a database. */
  starts: 1 | 2
  /** Between the two starts; as a rule nobody does anything. */
  seed?: SeedDatabase
}

/** A product as whoever runs one starts it: in production's mode, with no demo, and nobody in it but who was asked for. */
export const startEmptyProduct = async ({
  server,
  starts,
  seed: furnish,
}: EmptyProductOptions): Promise<EmptyProduct> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bare-'))
  const database = server === undefined ? undefined : await createPostgresDatabase(server, 'bare')
  const port = await freePort()
  const env = {
    NODE_ENV: 'production',
    SECRET: randomBytes(32).toString('hex'),
    PAYMENT: 'test',
    // A studio is verified by its account number and password, at once.
    PARTNER: 'test',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...(database && { DATABASE_URL: database.url }),
  }
  const settings: ProductOptions = { dataDir, port, env }
  if (starts === 2) {
    await (await startProduct(settings)).stop()
    const own = readSettings({ DATA_DIR: dataDir, ...env })
    if (furnish) await withProductDatabase({ dataDir, databaseUrl: database?.url }, (kept) => furnish(kept, own))
  }
  const product = await startProduct(settings)
  return {
    ...product,
    engine: database ? 'postgres' : 'embedded',
    remove: async () => {
      await product.stop()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

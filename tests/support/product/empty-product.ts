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

/** Writes the initial rows. The settings hold the key that signs tokens. */
type SeedDatabase = (database: Database, settings: Settings) => Promise<void>

type EmptyProductOptions = {
  /** URL of a PostgreSQL server to create the database on; embedded when undefined. */
  server: string | undefined
  /** With 2 the product starts twice, so that memory used to create the database is released. */
  starts: 1 | 2
  /** Runs between the two starts. */
  seed?: SeedDatabase
}

/**
 * Starts a product as an operator does: in production mode and without the demo. Its only rows are those of the
 * migrations and of `seed`.
 */
export const startEmptyProduct = async ({ server, starts, seed }: EmptyProductOptions): Promise<EmptyProduct> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bare-'))
  const database = server === undefined ? undefined : await createPostgresDatabase(server, 'bare')
  const port = await freePort()
  const env = {
    NODE_ENV: 'production',
    SECRET: randomBytes(32).toString('hex'),
    PAYMENT: 'test',
    // In test mode a studio is verified at once by its account number and password.
    PARTNER: 'test',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...(database && { DATABASE_URL: database.url }),
  }
  const options: ProductOptions = { dataDir, port, env }
  if (starts === 2) {
    await (await startProduct(options)).stop()
    const serverSettings = readSettings({ DATA_DIR: dataDir, ...env })
    if (seed) await withProductDatabase({ dataDir, databaseUrl: database?.url }, (db) => seed(db, serverSettings))
  }
  const product = await startProduct(options)
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

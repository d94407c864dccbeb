import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDatabase } from './own-database.ts'
import { freePort, type Product, type ProductOptions, startProduct } from './product.ts'

export type BareProduct = Product & { engine: 'embedded' | 'postgres'; remove: () => Promise<void> }

type Wanted = {
  /** A PostgreSQL to make its database on; the embedded one where none is named. */
  server: string | undefined
  /** At its second start it has nothing left in memory of making a database. */
  starts: 1 | 2
}

/** A product as whoever runs one starts it: in production's mode, with nobody in it and no demo. */
export const startBareProduct = async ({ server, starts }: Wanted): Promise<BareProduct> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bare-'))
  const database = server === undefined ? undefined : await makeDatabase(server, 'bare')
  const port = await freePort()
  const settings: ProductOptions = {
    dataDir,
    port,
    env: {
      NODE_ENV: 'production',
      SECRET: randomBytes(32).toString('hex'),
      PAYMENT: 'test',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...(database && { DATABASE_URL: database.url }),
    },
  }
  if (starts === 2) await (await startProduct(settings)).stop()
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

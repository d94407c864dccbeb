import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrate } from './administer.ts'
import { freePort, type Product, startProduct } from './product.ts'

/** A database of this product alone on a PostgreSQL. */
const makeDatabase = async (server: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `fieldproof_bare_${process.pid}_${randomBytes(4).toString('hex')}`
  const administer = administrate(server)
  await administer((administrator) => administrator.query(`create database ${name} template template0`))
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: () => administer((administrator) => administrator.query(`drop database ${name} with (force)`)),
  }
}

export type BareProduct = Product & { engine: 'embedded' | 'postgres'; remove: () => Promise<void> }

/** A product as whoever runs one starts it: in production's mode, with nobody in it and no demo; on the PostgreSQL named, or the embedded database. */
export const startBareProduct = async (server?: string): Promise<BareProduct> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bare-'))
  const database = server === undefined ? undefined : await makeDatabase(server)
  const port = await freePort()
  const product = await startProduct({
    dataDir,
    port,
    env: {
      NODE_ENV: 'production',
      SECRET: randomBytes(32).toString('hex'),
      PAYMENT: 'test',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...(database && { DATABASE_URL: database.url }),
    },
  })
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

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Db } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { copyDemoData } from './demo-data.ts'

/** Where a product stores its data. */
export type ProductStorage = {
  dataDir: string
  env: Record<string, string>
  /** Reads the database of a stopped product. */
  read: <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>
  remove: () => Promise<void>
}

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const databaseReader =
  (location: { dataDir: string; databaseUrl?: string }): ProductStorage['read'] =>
  async (work) => {
    const database = await openDatabase({ ...location, log: silentLog })
    return await work(database.db).finally(() => database.close())
  }

/** An embedded database in the product's own folder, with the demo data. */
const createEmbeddedStorage = async (): Promise<ProductStorage> => {
  const { dataDir, remove } = await copyDemoData()
  return { dataDir, env: {}, read: databaseReader({ dataDir }), remove }
}

/** An empty database on a PostgreSQL server. The product seeds the demo data itself. */
export const createPostgresStorage = async (server: string): Promise<ProductStorage> => {
  const name = `fieldproof_faults_${process.pid}_${randomBytes(4).toString('hex')}`
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await administer(`create database ${name} template template0`)
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-'))
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const remove = async (): Promise<void> => {
    await administer(`drop database ${name} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  }
  return { dataDir, env: { DATABASE_URL: databaseUrl }, read: databaseReader({ dataDir, databaseUrl }), remove }
}

const server = process.env.TEST_DATABASE_URL

/** Every database a product can run on: the embedded one, and the PostgreSQL of `TEST_DATABASE_URL` when it is set. */
export const demoStorages: readonly { name: string; make: () => Promise<ProductStorage> }[] = [
  { name: 'the embedded database', make: createEmbeddedStorage },
  ...(server ? [{ name: 'PostgreSQL', make: () => createPostgresStorage(server) }] : []),
]

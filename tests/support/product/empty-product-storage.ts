import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDatabaseFolder } from '../database/test-database.ts'
import { createPostgresStorage, databaseReader, type ProductStorage } from './product-storage.ts'

/** An empty embedded database in its own folder. */
const createEmptyEmbeddedStorage = async (): Promise<ProductStorage> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-'))
  await prepareDatabaseFolder(dataDir)
  return {
    dataDir,
    env: {},
    read: databaseReader({ dataDir }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

const server = process.env.TEST_DATABASE_URL

/** Empty storages of every database that a product can run on, for products without demo data. */
export const emptyStorages: readonly { name: string; make: () => Promise<ProductStorage> }[] = [
  { name: 'the embedded database', make: createEmptyEmbeddedStorage },
  ...(server ? [{ name: 'PostgreSQL', make: () => createPostgresStorage(server) }] : []),
]

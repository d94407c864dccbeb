import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareFolder } from '../database/test-database.ts'
import { type Base, looker, onServer } from './product-storage.ts'

/** The database in a folder of its own. */
const embedded = async (): Promise<Base> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-'))
  await prepareFolder(dataDir)
  return { dataDir, env: {}, look: looker({ dataDir }), remove: () => rm(dataDir, { recursive: true, force: true }) }
}

const server = process.env.TEST_DATABASE_URL

/** Every database a product can run on, with nothing in it: for products that make no demo data. */
export const emptyBases: readonly { name: string; make: () => Promise<Base> }[] = [
  { name: 'the embedded database', make: embedded },
  ...(server ? [{ name: 'PostgreSQL', make: () => onServer(server) }] : []),
]

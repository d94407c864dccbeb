import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { addressRules } from '../../src/server/adapters/address-rules.ts'
import { folderFiles } from '../../src/server/adapters/files-folder.ts'
import { testHostProof } from '../../src/server/adapters/host-proof-test.ts'
import { mailLog } from '../../src/server/adapters/mail-log.ts'
import { testPartner } from '../../src/server/adapters/partner-test.ts'
import { taxTable } from '../../src/server/adapters/tax-table.ts'
import { buildApp } from '../../src/server/app.ts'
import { openDatabase } from '../../src/server/database/database.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { seedDemo } from '../../src/server/demo/seed.ts'
import type { Deps } from '../../src/server/deps.ts'
import { readSettings } from '../../src/server/env.ts'
import { Lines } from '../../src/server/http/lines.ts'
import { type Jobs, startJobs } from '../../src/server/jobs/jobs.ts'
import { queues } from '../../src/server/jobs/queues.ts'
import { migrations } from '../../src/server/migrations/migrations.ts'
import { makeDatabase } from '../support/own-database.ts'
import { readHere } from '../support/read-here.ts'
import { instantPayment } from './instant-payment.ts'

/** The product in this process, in production's mode with the demo data, so that what it does can be run with and without HTTP. */
export type OwnServer = {
  engine: 'embedded' | 'postgres'
  url: string
  deps: Deps
  jobs: Jobs<typeof queues>
  close: () => Promise<void>
}

const depsOf = (dataDir: string, { db }: Pick<Deps, 'db'>, jobs: Jobs<typeof queues>): Deps => ({
  db,
  files: folderFiles({ folder: join(dataDir, 'files'), newId: randomUUID }),
  foreignFiles: readHere,
  paymentEvents: null,
  paymentAccounts: null,
  partner: testPartner,
  payment: instantPayment,
  mail: mailLog({ db, clock: () => new Date() }),
  tax: taxTable(db),
  addresses: addressRules,
  hostProof: testHostProof,
  jobs,
  clock: () => new Date(),
  wait,
  newId: randomUUID,
  randomBytes,
  // As loud as in production, to where it costs what a log costs and nobody reads it.
  log: pino({ level: 'info' }, pino.destination('/dev/null')),
  lines: new Lines(),
  settings: readSettings({
    NODE_ENV: 'production',
    SECRET: randomUUID(),
    PAYMENT: 'test',
    PUBLIC_URL: 'http://localhost',
    DATA_DIR: dataDir,
  }),
  freeBytes: async () => 2 ** 40,
  address: () => 'http://localhost',
})

/** Opens the product on the embedded database, or on a new one of the PostgreSQL named, and listens on loopback. */
export const openOwnServer = async (server?: string): Promise<OwnServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bench-'))
  const made = server === undefined ? undefined : await makeDatabase(server, 'bench')
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir, databaseUrl: made?.url, log })
  await migrate(database.db, migrations)
  const jobs = await startJobs({ database, log, queues })
  const deps = depsOf(dataDir, database, jobs)
  await seedDemo(deps)
  const app = await buildApp(deps)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // it listens on TCP
  return {
    engine: database.kind,
    url: `http://127.0.0.1:${port}`,
    deps,
    jobs,
    close: async () => {
      await app.close()
      await jobs.stop()
      await database.close()
      await made?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'
import { addressRules } from '#server/adapters/address-rules.ts'
import { folderFiles } from '#server/adapters/files-folder.ts'
import { testHostProof } from '#server/adapters/host-proof-dns.ts'
import { mailLog } from '#server/adapters/mail-record.ts'
import { testPartner } from '#server/adapters/partner-built-in.ts'
import { taxTable } from '#server/adapters/tax-table.ts'
import { httpWebhooks } from '#server/adapters/webhook-http.ts'
import { buildApp } from '#server/app.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, migrations } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { seedDemo } from '#server/demo/seed.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { paymentOrigins } from '#server/payments/adapters/payment-adapters.ts'
import { testStatements } from '#server/payments/adapters/payment-test-statements.ts'
import { type BackgroundJobs, startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { createPostgresDatabase } from '#support/database/create-postgres-database.ts'
import { demoServices } from '#support/server/demo-services.ts'
import { inThreadFileParsers } from '#support/server/in-thread-file-parsers.ts'
import { instantPayment } from './instant-payment.ts'

/** The product in this process, in production mode with the demo data, so that its work can run with and without HTTP. */
export type BenchServer = {
  engine: 'embedded' | 'postgres'
  url: string
  deps: Deps
  jobs: BackgroundJobs<typeof queues>
  close: () => Promise<void>
}

const createDeps = (dataDir: string, { db, kind }: Database, jobs: BackgroundJobs<typeof queues>): Deps => ({
  db,
  engine: kind,
  files: folderFiles({ folder: join(dataDir, 'files'), newId: randomUUID }),
  fileParsers: inThreadFileParsers,
  paymentStatements: testStatements({
    folder: join(dataDir, 'test-payments'),
    newId: randomUUID,
    clock: () => new Date(),
  }),
  paymentEvents: null,
  paymentAccounts: null,
  paymentOrigins,
  partner: testPartner,
  payment: instantPayment,
  mail: mailLog({ db, clock: () => new Date() }),
  tax: taxTable(db),
  addresses: addressRules,
  hostProof: testHostProof,
  webhooks: httpWebhooks({ allowsPrivate: true }),
  jobs,
  clock: () => new Date(),
  wait,
  newId: randomUUID,
  randomBytes,
  // Logs as much as in production, to a file that is discarded.
  log: pino({ level: 'info' }, pino.destination('/dev/null')),
  semaphore: new KeyedSemaphore(),
  settings: readSettings({
    NODE_ENV: 'production',
    SECRET: randomUUID(),
    PAYMENT: 'test',
    PUBLIC_URL: 'http://localhost',
    DATA_DIR: dataDir,
    REQUESTS_PER_MINUTE: '100000000',
  }),
  freeBytes: async () => 2 ** 40,
  address: () => 'http://localhost',
})

/** Opens the product on the embedded database, or on a new database of the given PostgreSQL server, and listens on loopback. */
export const startBenchServer = async (postgresUrl?: string): Promise<BenchServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-bench-'))
  const postgresDatabase = postgresUrl === undefined ? undefined : await createPostgresDatabase(postgresUrl, 'bench')
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir, databaseUrl: postgresDatabase?.url, log })
  await migrate(database.db, migrations)
  const jobs = await startBackgroundJobs({ database, log, queues })
  const deps = createDeps(dataDir, database, jobs)
  await seedDemo(deps, { services: demoServices(dataDir) })
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
      await postgresDatabase?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

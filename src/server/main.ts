import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { ignoring } from '#domain/shared/ignoring.ts'
import { KeyedSemaphore } from './access/brute-force/keyed-semaphore.ts'
import { httpAddressCheck } from './adapters/address-http.ts'
import { addressRules } from './adapters/address-rules.ts'
import { folderFiles, removeUnfinished } from './adapters/files-folder.ts'
import { dnsHostProof, testHostProof } from './adapters/host-proof-dns.ts'
import { mailLog } from './adapters/mail-record.ts'
import { smtpMail } from './adapters/mail-smtp.ts'
import { manualReviewPartner, testPartner } from './adapters/partner-built-in.ts'
import { httpPartner } from './adapters/partner-http.ts'
import { httpTax } from './adapters/tax-http.ts'
import { taxTable } from './adapters/tax-table.ts'
import { httpWebhooks } from './adapters/webhook-http.ts'
import { buildApp } from './app.ts'
import { readMailSender } from './configuration/read-settings.ts'
import type { Database } from './database/database.ts'
import { freeBytesOf } from './database/disk-full.ts'
import { migrate, migrations } from './database/migrate.ts'
import { openDatabase } from './database/open-database.ts'
import { type RenderedDemo, renderDemoInThread } from './demo/render-demo-images.ts'
import { seedDemo } from './demo/seed.ts'
import type { DemoServices } from './demo/seed-orders.ts'
import { demoPassword } from './demo/seed-studios.ts'
import type { Deps } from './deps.ts'
import { publicAddress, readSettings, type Settings } from './env.ts'
import { startParserThreads } from './file-parsers/file-parsers.ts'
import { removeOldForms } from './http/forms/multipart-form.ts'
import { releaseAbandonedKeys } from './http/idempotency.ts'
import { readBuiltClient } from './http/pages/built-client.ts'
import { storeBuild } from './http/pages/previous-builds.ts'
import { startRenderThreads } from './images/engine/render-threads.ts'
import { mergeJobChanges } from './jobs/store/job-changes.ts'
import { mergeJobCounts } from './jobs/store/job-counts.ts'
import { hasTaxRates } from './jobs/store/order-availability.ts'
import { openLog } from './log-serializer.ts'
import { openPayment, openTestPayment, paymentOrigins } from './payments/adapters/payment-adapters.ts'
import { mergeLedgerDays } from './payments/ledger/read-payment-summary.ts'
import { initializePlatform } from './platform/initialize-platform.ts'
import type { Message } from './ports/mail.ts'
import { type BackgroundJobs, startBackgroundJobs } from './queue/background-jobs.ts'
import { queues } from './queue/queues.ts'
import { describeStartFailure } from './start-failure.ts'
import { storedSecret } from './stored-secret.ts'
import { removeStagedSubjects } from './subjects/staged-subjects.ts'
import { startWorkers } from './workers.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
/** How long requests and jobs in flight may take after a stop signal. */
const shutdownTimeoutMs = 30_000
/** How long the database may take to answer after a stop signal. */
const databaseTimeoutMs = 5_000

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)

/** The port the server listens on; the requested port until it listens. */
type Listener = { port: number }
type Payments = Pick<Deps, 'payment' | 'paymentStatements' | 'paymentEvents' | 'paymentAccounts'>
type ServerParts = Payments & {
  database: Database
  jobs: BackgroundJobs<typeof queues>
  log: Deps['log']
  listener: Listener
  fileParsers: Deps['fileParsers']
}

const partnerOf = ({ partner }: Settings, log: Deps['log']): Deps['partner'] => {
  if (partner.adapter === 'http') return httpPartner(partner, log)
  return partner.adapter === 'test' ? testPartner : manualReviewPartner
}

/** Prints an email with secrets: in development no email is sent, and the mail log stores no secrets. */
const showSecrets = ({ to, subject, text, secrets }: Message): void => {
  if (secrets.length > 0) printLine(`\n  To ${to.email}: ${subject}\n\n${text}\n`)
}

const mailOf = (settings: Settings, { db }: Database): Deps['mail'] => {
  const { mail, mode } = settings
  const recorder = { db, clock: () => new Date() }
  if (mail.adapter === 'smtp') {
    return smtpMail(recorder, { url: mail.url, readSender: () => readMailSender(db, { settings }) })
  }
  return mailLog(recorder, mode === 'production' ? undefined : showSecrets)
}

const taxOf = ({ tax: service }: Settings, { db }: Database, log: Deps['log']): Deps['tax'] => {
  const table = taxTable(db)
  return service ? httpTax({ service, table, db, log, now: Date.now }) : table
}

const depsOf = (
  settings: Settings,
  {
    database,
    payment,
    paymentStatements,
    paymentEvents,
    paymentAccounts,
    jobs,
    log,
    listener,
    fileParsers,
  }: ServerParts,
): Deps => ({
  db: database.db,
  engine: database.kind,
  files: folderFiles({ folder: join(settings.dataDir, 'files'), newId: randomUUID }),
  fileParsers,
  payment,
  paymentStatements,
  paymentEvents,
  paymentAccounts,
  paymentOrigins,
  partner: partnerOf(settings, log),
  mail: mailOf(settings, database),
  tax: taxOf(settings, database, log),
  addresses: settings.addresses ? httpAddressCheck(settings.addresses, log) : addressRules,
  hostProof: settings.hostProof === 'dns' ? dnsHostProof({ log }) : testHostProof,
  webhooks: httpWebhooks({ allowsPrivate: settings.mode !== 'production' }),
  jobs,
  clock: () => new Date(),
  wait,
  newId: randomUUID,
  randomBytes,
  log,
  semaphore: new KeyedSemaphore(),
  settings,
  freeBytes: () => freeBytesOf(settings.dataDir),
  address: () => publicAddress(settings, listener.port),
})

const demoServices =
  ({ dataDir }: Settings): DemoServices =>
  ({ db, clock }) => ({ ...openTestPayment(dataDir, clock), tax: taxTable(db), addresses: addressRules })

/**
 * Runs before the server listens: cleans up after the previous process. Seeds an empty database with the demo, or in
 * production with the initial catalogue.
 */
const prepare = async (
  deps: Deps,
  { kind, demoImages }: { kind: Database['kind']; demoImages: Promise<RenderedDemo> | undefined },
): Promise<void> => {
  if (kind === 'embedded') {
    await releaseAbandonedKeys(deps.db)
    await removeStagedSubjects(deps)
  }
  // A restored database numbers its transactions from the start, so a new transaction could have the number in an old row.
  await mergeJobChanges(deps)
  await mergeJobCounts(deps)
  await mergeLedgerDays(deps)
  const before = subHours(deps.clock(), 24)
  await removeUnfinished({ folder: join(deps.settings.dataDir, 'files'), before })
  await removeOldForms(deps.settings.dataDir, before)
  if (deps.settings.mode === 'production') {
    if (await initializePlatform(deps)) deps.log.info({}, 'inserted the initial catalogue')
    return
  }
  const services = demoServices(deps.settings)
  if (await seedDemo(deps, { services, images: demoImages })) deps.log.info({}, 'inserted the demo data')
}

const printAddress = async ({ db, settings, address, log }: Deps): Promise<void> => {
  printLine(`\n  Fieldproof is ready: ${address()}\n`)
  if (settings.mode === 'production') return
  // The server is listening already: a failure here only loses these lines.
  const users = await db
    .selectFrom('users')
    .select('email')
    .where('email', 'like', '%.test')
    .orderBy('id')
    .execute()
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the demo sign-ins could not be read')
      return []
    })
  if (users.length === 0) return
  printLine(`  Demo sign-ins, password ${demoPassword}:`)
  for (const { email } of users) printLine(`    ${email}`)
  printLine('')
}

/** Starts rendering the demo's images while the database is created; a failure is reported where they are awaited. */
const startDemoImages = ({ mode, dataDir }: Settings): Promise<RenderedDemo> | undefined => {
  if (mode === 'production' || existsSync(join(dataDir, 'files'))) return undefined
  const images = renderDemoInThread()
  void ignoring('a failure is reported where the images are awaited', () => images)
  return images
}

/** Opens the database and migrates it. PostgreSQL is migrated over a separate connection without statement timeouts. */
const openMigrated = async ({ dataDir, databaseUrl }: Settings, log: Deps['log']): Promise<Database> => {
  const options = { dataDir, databaseUrl, log }
  if (databaseUrl !== undefined) {
    const unbounded = await openDatabase({ ...options, statements: 'unbounded' })
    await migrate(unbounded.db, migrations).finally(() => unbounded.close())
    return await openDatabase(options)
  }
  const database = await openDatabase(options)
  await migrate(database.db, migrations)
  return database
}

/** Whether the database responds in time. If it does not, no request or job in flight can finish. */
const respondsInTime = ({ db }: Database): Promise<boolean> =>
  Promise.race([
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
    wait(databaseTimeoutMs, false),
  ])

/** On SIGTERM or SIGINT: stops accepting requests and jobs, finishes those in flight, and closes the database last. */
const stopOnSignal = (stop: () => Promise<void>, database: Database, log: Deps['log']): void => {
  const onSignal = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
    void respondsInTime(database).then((isResponsive) => {
      if (isResponsive) return
      log.error({}, 'the database does not respond: the server stops without finishing requests and jobs in flight')
      process.exit(1)
    })
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the server could not finish requests and jobs in flight')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
}

const start = async (): Promise<void> => {
  const settings = readSettings(process.env, storedSecret)
  const log = openLog(settings)
  const demoImages = startDemoImages(settings)
  const database = await openMigrated(settings, log)
  const jobs = await startBackgroundJobs({ database, log, queues })
  const listener = { port: settings.port }
  const fileParsers = startParserThreads(log)
  const deps = depsOf(settings, { database, ...(await openPayment(settings)), jobs, log, listener, fileParsers })
  const client = await readBuiltClient(dist)
  if (client) await storeBuild(deps, client)
  else log.warn({}, 'there are no built pages: only the API is served')
  await prepare(deps, { kind: database.kind, demoImages })
  if (settings.mode === 'production' && settings.mail.adapter === 'log') {
    log.warn({}, 'MAIL=log sends no email: password resets and invitations do not reach their recipients')
  }
  if (settings.mode === 'production' && !(await hasTaxRates(deps))) {
    log.warn({}, 'there are no tax rates: orders are sold without tax. Add rates, or set TAX=http')
  }
  const threads = startRenderThreads(log)
  await startWorkers(deps, jobs, { client, ...threads })
  const app = await buildApp(deps, client)
  stopOnSignal(
    async () => {
      await app.close()
      await jobs.stop()
      await threads.stop()
      await fileParsers.stop()
      await database.close()
    },
    database,
    log,
  )
  await app.listen({ port: settings.port, host: settings.host })
  const [address] = app.addresses()
  if (typeof address === 'object') listener.port = address.port
  await printAddress(deps)
}

try {
  await start()
} catch (error) {
  process.stderr.write(describeStartFailure(error))
  process.exit(1)
}

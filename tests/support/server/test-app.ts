import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { Transport } from '#local/transport/request.ts'
import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'
import { sessionCookie } from '#server/access/sessions/sessions.ts'
import { addressRules } from '#server/adapters/address-rules.ts'
import { folderFiles } from '#server/adapters/files-folder.ts'
import { testHostProof } from '#server/adapters/host-proof-dns.ts'
import { mailLog } from '#server/adapters/mail-record.ts'
import { testPartner } from '#server/adapters/partner-built-in.ts'
import { taxTable } from '#server/adapters/tax-table.ts'
import { httpWebhooks } from '#server/adapters/webhook-http.ts'
import { buildApp } from '#server/app.ts'
import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { paymentOrigins } from '#server/payments/adapters/payment-adapters.ts'
import { testPayment } from '#server/payments/adapters/payment-test.ts'
import { testStatements } from '#server/payments/adapters/payment-test-statements.ts'
import type { Files } from '#server/ports/files.ts'
import { silentLog } from '../database/test-database.ts'
import { inThreadFileParsers } from './in-thread-file-parsers.ts'

/** A clock that moves only when a test moves it. Its `wait` advances the clock and returns at once. */
export const manualClock = (start = '2027-04-15T10:00:00.000Z') => {
  let now = Date.parse(start)
  return {
    clock: () => new Date(now),
    advance: (milliseconds: number) => {
      now += milliseconds
    },
    wait: async (milliseconds: number) => {
      now += milliseconds
    },
  }
}

let folder: string | undefined
/** A folder of the current test, deleted after it. */
const testFolder = (): string => {
  if (folder) return folder
  const newFolder = mkdtempSync(join(tmpdir(), 'fieldproof-files-'))
  onTestFinished(() => {
    rmSync(newFolder, { recursive: true, force: true })
    folder = undefined
  })
  folder = newFolder
  return newFolder
}
const testFiles = (): Files => folderFiles({ folder: testFolder(), newId: randomUUID })

/** Dependencies of the server's features in tests: real ids and randomness, and a fixed clock by default. */
export const testDeps = (database: Database, overrides: Partial<Deps> = {}): Deps => {
  const { clock, wait } = manualClock()
  const record = { folder: join(testFolder(), 'payments'), newId: randomUUID, clock: overrides.clock ?? clock }
  return {
    db: database.db,
    engine: database.kind,
    files: testFiles(),
    fileParsers: inThreadFileParsers,
    payment: testPayment(record),
    paymentStatements: testStatements(record),
    paymentEvents: null,
    paymentAccounts: null,
    paymentOrigins,
    partner: testPartner,
    mail: mailLog({ db: database.db, clock }),
    tax: taxTable(database.db),
    addresses: addressRules,
    hostProof: testHostProof,
    webhooks: httpWebhooks({ allowsPrivate: true }),
    jobs: { enqueue: async () => {} },
    clock,
    wait,
    newId: randomUUID,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    log: silentLog,
    semaphore: new KeyedSemaphore((_milliseconds, run) => queueMicrotask(run)),
    settings: readSettings({ NODE_ENV: 'test', DATA_DIR: testFolder() }),
    freeBytes: async () => 2 ** 40,
    address: () => 'https://fieldproof.test',
    ...overrides,
  }
}

/** Records jobs in order instead of running them. */
export const recordingQueue = () => {
  const jobs: { name: string; payload: never }[] = []
  const ids = new Set<string>()
  const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload, { id } = {}) => {
    if (id !== undefined && ids.has(id)) return
    if (id !== undefined) ids.add(id)
    jobs.push({ name, payload: payload as never }) // each test knows the payloads that it enqueued
  }
  return { jobs, enqueue }
}

/** Builds the whole app, which is closed after the test. */
export const testApp = async (deps: Deps): Promise<FastifyInstance> => {
  const app = await buildApp(deps)
  onTestFinished(() => app.close())
  return app
}

/** Creates a customer session. Returns its id and its cookie header. */
export const createTestSession = async ({ db, clock }: Deps): Promise<{ id: number; headers: { cookie: string } }> => {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
  const { id } = await db
    .insertInto('customer_sessions')
    .values({ expires_at: new Date(clock().getTime() + 1000 * 60 * 60 * 24) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token_hash = createHash('sha256').update(token).digest('hex')
  await db.insertInto('session_keys').values({ session_id: id, token_hash }).execute()
  return { id, headers: { cookie: `${sessionCookie}=${token}` } }
}

/** A browser for the app: sends requests and stores its cookie. */
export const browserClient = (app: FastifyInstance) => {
  let cookie = ''
  const carry: Transport = async ({ method, url, headers, body }) => {
    const response = await app.inject({
      method: method as 'GET', // the contract has no other methods
      url,
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(body !== undefined && { payload: body }),
    })
    const [setCookie] = [response.headers['set-cookie']].flat()
    if (setCookie) cookie = setCookie.split(';')[0] ?? ''
    const headerOf = (name: 'retry-after' | 'etag'): string | null => {
      const value = response.headers[name]
      return value === undefined ? null : `${value}`
    }
    const { statusCode: status, body: text } = response
    return { status, text, retryAfter: headerOf('retry-after'), etag: headerOf('etag') }
  }
  /** Restores a cookie, as if the response that replaced it had been lost. */
  const restoreCookie = (previousCookie: string) => {
    cookie = previousCookie
  }
  return { carry, cookie: () => cookie, restoreCookie }
}

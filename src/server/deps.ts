import type { KeyedSemaphore } from './access/brute-force/keyed-semaphore.ts'
import type { Database, Db, Log } from './database/database.ts'
import type { Settings } from './env.ts'
import type { FileParsers } from './file-parsers/file-parsers.ts'
import type {
  Payment,
  PaymentAccounts,
  PaymentEvents,
  PaymentStatements,
  ProviderOrigins,
} from './payments/port/payment-provider.ts'
import type { AddressCheck } from './ports/address-check.ts'
import type { Files } from './ports/files.ts'
import type { HostProof } from './ports/host-proof.ts'
import type { Mail } from './ports/mail.ts'
import type { Partner } from './ports/partner.ts'
import type { Tax } from './ports/tax.ts'
import type { WebhookTransport } from './ports/webhook-transport.ts'
import type { BackgroundJobs } from './queue/background-jobs.ts'
import type { queues } from './queue/queues.ts'

/** Every dependency that a server feature may use. `main.ts` builds it once; tests build their own. */
export type Deps = {
  readonly db: Db
  readonly engine: Database['kind']
  readonly files: Files
  readonly fileParsers: FileParsers
  readonly payment: Payment
  /** Null if the provider sends no webhooks. */
  readonly paymentEvents: PaymentEvents | null
  /** Null if studios have no accounts to connect. */
  readonly paymentAccounts: PaymentAccounts | null
  readonly paymentStatements: PaymentStatements
  /** The origins of all payment providers, whichever is configured. */
  readonly paymentOrigins: ProviderOrigins
  readonly partner: Partner
  readonly mail: Mail
  readonly tax: Tax
  readonly addresses: AddressCheck
  readonly hostProof: HostProof
  readonly webhooks: WebhookTransport
  readonly jobs: Pick<BackgroundJobs<typeof queues>, 'enqueue'>
  readonly clock: () => Date
  /** Resolves after this many milliseconds of the same clock that `clock` reads. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** A new UUID. */
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Log
  /** Serializes attempts with the same key. */
  readonly semaphore: KeyedSemaphore
  readonly settings: Settings
  /** Free bytes on the disk that holds this server's data. */
  readonly freeBytes: () => Promise<number>
  /** The public base URL, used for links in emails; no trailing slash. */
  readonly address: () => string
}

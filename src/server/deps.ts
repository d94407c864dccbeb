import type { KeyedSemaphore } from './access/brute-force/keyed-semaphore.ts'
import type { Db, Log } from './database/database.ts'
import type { Settings } from './env.ts'
import type { FileParsers } from './file-parsers/file-parsers.ts'
import type { PaymentAccounts } from './payments/port/payment-accounts.ts'
import type { PaymentEvents } from './payments/port/payment-events.ts'
import type { Payment } from './payments/port/payment-provider.ts'
import type { AddressCheck } from './ports/address-check.ts'
import type { Files } from './ports/files.ts'
import type { HostProof } from './ports/host-proof.ts'
import type { Mail } from './ports/mail.ts'
import type { Partner } from './ports/partner.ts'
import type { Tax } from './ports/tax.ts'
import type { BackgroundJobs } from './queue/background-jobs.ts'
import type { queues } from './queue/queues.ts'

/** All that a feature of the server may touch; `main.ts` makes it once, tests make their own. */
export type Deps = {
  readonly db: Db
  readonly files: Files
  readonly fileParsers: FileParsers
  readonly payment: Payment
  /** Null where the provider posts nothing. */
  readonly paymentEvents: PaymentEvents | null
  /** Null where studios have nothing to connect. */
  readonly paymentAccounts: PaymentAccounts | null
  readonly partner: Partner
  readonly mail: Mail
  readonly tax: Tax
  readonly addresses: AddressCheck
  readonly hostProof: HostProof
  readonly jobs: Pick<BackgroundJobs<typeof queues>, 'enqueue'>
  readonly clock: () => Date
  /** Resolves after so many milliseconds of the same time that `clock` shows. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** A new UUID. */
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Log
  /** Where tries that must go one after the other wait for each other. */
  readonly semaphore: KeyedSemaphore
  readonly settings: Settings
  /** Bytes that are free where this server stores its data. */
  readonly freeBytes: () => Promise<number>
  /** The address people open, which mails link to; without a slash at the end. */
  readonly address: () => string
}

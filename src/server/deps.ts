import type { Db, Log } from './database/database.ts'
import type { Settings } from './env.ts'
import type { ForeignFiles } from './foreign-files/foreign-files.ts'
import type { Lines } from './http/lines.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { queues } from './jobs/queues.ts'
import type { AddressCheck } from './ports/address.ts'
import type { Files } from './ports/files.ts'
import type { HostProof } from './ports/host-proof.ts'
import type { Mail } from './ports/mail.ts'
import type { Partner } from './ports/partner.ts'
import type { Payment } from './ports/payment.ts'
import type { PaymentAccounts } from './ports/payment-accounts.ts'
import type { PaymentEvents } from './ports/payment-events.ts'
import type { Tax } from './ports/tax.ts'

/** All that a feature of the server may touch; `main.ts` makes it once, tests make their own. */
export type Deps = {
  readonly db: Db
  readonly files: Files
  readonly foreignFiles: ForeignFiles
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
  readonly jobs: Pick<Jobs<typeof queues>, 'enqueue'>
  readonly clock: () => Date
  /** Resolves after so many milliseconds of the same time that `clock` shows. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** A new UUID. */
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Log
  /** Where tries that must go one after the other wait for each other. */
  readonly lines: Lines
  readonly settings: Settings
  /** Bytes that are free where this server stores its data. */
  readonly freeBytes: () => Promise<number>
  /** The address people open, which mails link to; without a slash at the end. */
  readonly address: () => string
}

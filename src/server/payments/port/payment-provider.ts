import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentProviderName } from '#contract/shapes/primitives.ts'

/** An attempt to take a payment. `attemptId` is the idempotency key: at most one charge is made for it. */
export type ProviderAttempt = {
  readonly attemptId: string
  readonly amountCents: number
  readonly currency: string
  /** The connected account that is paid; null if there is none. */
  readonly account: string | null
  /** The platform’s fee, part of the amount. */
  readonly platformFeeCents: number
  /** The time when the attempt was recorded, before the provider was called. */
  readonly beganAt: Date
}

export type Charge = ProviderAttempt & {
  /** The browser's token for the card; card numbers never reach the server. */
  readonly paymentToken: string
  /** Whether the customer confirmed the payment with the bank, if an earlier outcome required authentication. */
  readonly authentication?: 'confirmed' | 'cancelled' | undefined
}

/**
 * The outcome of an attempt. `message` is for the customer. `clientSecret` is for authentication in the browser; null if it takes place on
 * the page itself.
 */
export type ChargeOutcome =
  | { readonly state: 'succeeded'; readonly reference: string; readonly cardEnding: string | null }
  | { readonly state: 'declined'; readonly reference: string | null; readonly code: string; readonly message: string }
  | { readonly state: 'requires-action'; readonly reference: string; readonly clientSecret: string | null }

/** A refund. `refundId` is the idempotency key: at most one refund is made for it. */
export type Refund = {
  readonly refundId: string
  /** The provider's id of the charge. */
  readonly reference: string
  readonly account: string | null
  readonly amountCents: number
  /** The part of the platform’s fee that is refunded. */
  readonly platformFeeCents: number
}

/** The outcome of a refund; query a `pending` one later. `message` is for staff. */
export type RefundOutcome =
  | { readonly state: 'done'; readonly reference: string }
  | { readonly state: 'pending'; readonly reference: string }
  | { readonly state: 'failed'; readonly message: string }

/**
 * A payment provider. Every method resolves or rejects within 20 seconds. A rejection does not show whether the customer was
 * charged; only `find` does.
 */
export type Payment = {
  readonly name: PaymentProviderName
  /** The provider's name in messages. */
  readonly label: string
  /** Whether payments go to an account of the studio, so that a studio without one takes no cards. */
  readonly paysStudioAccounts: boolean
  /** The key for creating tokens in the browser; null if none is needed. */
  readonly publishableKey: string | null
  charge(charge: Charge): Promise<ChargeOutcome>
  /** The outcome of an attempt in the provider's record; undefined if there is none. */
  find(attempt: ProviderAttempt): Promise<ChargeOutcome | undefined>
  /** Closes an attempt that has no final outcome, and returns the final outcome. Nothing can be charged under its key afterwards. */
  close(attempt: ProviderAttempt): Promise<ChargeOutcome & { state: 'succeeded' | 'declined' }>
  /** Refunds a charge, never more than was charged. */
  refund(refund: Refund): Promise<RefundOutcome>
}

/** A webhook event. It is not trusted: it only triggers a query of the provider. */
export type ProviderEvent = {
  readonly id: string
  readonly kind: string
  readonly account: string | null
  /** The id of the attempt in the event, if it has one. */
  readonly attemptId: string | null
  /** The id of the refund in the event, if it has one. */
  readonly refundId: string | null
  /** Whether the books of the account changed other than by a charge or refund: by a payout or a dispute. */
  readonly changesStatement: boolean
}

/** The provider's webhook. */
export type PaymentEvents = {
  /** Reads an event; undefined if body and headers have no valid, recent signature of the provider. */
  read(body: Buffer, headers: IncomingHttpHeaders): Promise<ProviderEvent | undefined>
}

/** The connected account, or the message why no account was connected. */
export type ConnectOutcome =
  | { readonly state: 'connected'; readonly account: string }
  | { readonly state: 'refused'; readonly message: string }

/** Lets studios connect the accounts that receive their payments (section 7). */
export type PaymentAccounts = {
  /**
   * The provider's page where an owner consents; it redirects to `returnTo` with a code. Accepts an appended `&state=`.
   */
  connectAddress(returnTo: string): string
  /** Exchanges a code for the account; each code works once. */
  connect(code: string): Promise<ConnectOutcome>
  /** Lets the wallets of an account appear on pages of a domain. A repeated call changes nothing. Throws if the provider refuses. */
  registerDomain(account: string, domain: string): Promise<void>
}

/**
 * What an entry of an account is: `fee` the provider's fee, `platform-fee` the platform's, `payout` money sent to the bank or returned by it,
 * `other` anything else.
 */
export type EntryKind = 'charge' | 'refund' | 'fee' | 'platform-fee' | 'dispute' | 'payout' | 'other'

/**
 * An entry of an account in the provider's books: an amount that was added to the account's balance or, if negative, taken from it. The sum of
 * all entries is the balance. Entries never change; a refund that fails or a dispute that is won is another entry.
 */
export type AccountEntry = {
  /** The provider's id. Entries of the same id have different kinds: a charge and its fee. */
  readonly reference: string
  readonly kind: EntryKind
  readonly amountCents: number
  /**
   * What the entry is about: the provider's id of the charge (also for its fees and disputes), our `refundId` or else the provider's id of
   * the refund, or the id of the payout.
   */
  readonly source: string | null
  readonly createdAt: Date
}

/** A payout to the bank of an account. */
export type ProviderPayout = {
  readonly reference: string
  readonly state: 'pending' | 'paid' | 'failed'
  readonly amountCents: number
  /** The day on which it arrives at the bank, `2027-04-15`. */
  readonly arrivesOn: string
  readonly createdAt: Date
  /** Whether the provider knows all entries that it pays out. */
  readonly hasEntries: boolean
}

/** A page of a list, newest first; `next` is the `after` of the next page, null on the last. */
export type StatementPage<Item> = { readonly items: readonly Item[]; readonly next: string | null }

/** A list of an account, from the first page or after another one. */
export type StatementQuery = { readonly account: string; readonly after: string | null }

/** The provider's books of an account. Each method reads one page, within 20 seconds. */
export type PaymentStatements = {
  /** The entries since a time. */
  listEntries(query: StatementQuery & { readonly since: Date }): Promise<StatementPage<AccountEntry>>
  /** The payouts that were created since a time. */
  listPayouts(query: StatementQuery & { readonly since: Date }): Promise<StatementPage<ProviderPayout>>
  /** The entries that a payout pays out; their sum is its amount. */
  listPayoutEntries(query: StatementQuery & { readonly payout: string }): Promise<StatementPage<AccountEntry>>
}

/** The origins that a provider's script in the page needs, for the content security policy. */
export type ProviderOrigins = {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly calls: readonly string[]
}

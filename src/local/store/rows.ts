import type { Order } from '#contract/customer/order-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { RecordedMutation, SubjectKey, TypedSubject } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** Identifies a cart: there is one per job and order method. */
export type CartKey = { jobId: number; orderMethod: OrderMethod }

/**
 * The last cart that the server returned. `retiredCartId`: the cart that was ordered here last; it is never stored
 * again. `writing`: a new id for each write. `etag`: the server's etag of exactly this cart, if it sent one.
 */
export type ConfirmedCart = CartKey & {
  cart: Cart
  retiredCartId: number | null
  writing: string
  etag?: string | undefined
}

export type Rejection = { problem: string; message: string }

/**
 * What a mutation removes from the cart: lines, and subjects whose last line is removed, with their services; `subjects:
 * null` is every subject.
 */
export type RemovalEffects = { lineIds: readonly (string | null)[]; subjects: readonly SubjectKey[] | null }

/**
 * A mutation that the server has not settled. `new`: never sent, may still be coalesced; `sent`: sent at least once,
 * resent unchanged; `rejected`: by the server, and the customer decides.
 */
export type OutboxRow = CartKey & {
  seq: number
  mutationId: string
  /** The line it is about; null for the whole cart. */
  lineId: string | null
  state: 'new' | 'sent' | 'rejected'
  recorded: RecordedMutation
  rejection: Rejection | null
  /** What this mutation removed from the cart, as it was when the mutation was enqueued. */
  removed?: RemovalEffects | undefined
  /** It was retried once after the access to its subject was restored. */
  retriedAfterAccess?: true
  /**
   * Number of server errors it caused; retried alone at `nextAt`. `since`: when `nextAt` was set, by the same clock.
   */
  serverErrors?: { count: number; nextAt: number; since: number }
}

/**
 * The sending state of one cart. `nextAt` is in milliseconds since 1970, set at `waitsSince` by the same clock;
 * `batchLimit` shrinks while the sender looks for the mutation that gets a whole request rejected; 0 is no limit.
 */
export type SendingState = CartKey & {
  attempts: number
  nextAt: number
  waitsSince: number
  /** The last request did not reach the server: the next response to any call ends the wait. */
  unreached?: boolean
  inFlight: boolean
  batchLimit: number
  /** Set if only the customer can resolve the problem; shown on the screen. */
  paused: Rejection | null
  /**
   * After a server error. `probing`: an empty request probes whether the server works; `bisecting`: it does, and the batch
   * is bisected.
   */
  diagnosis?: 'probing' | 'bisecting' | undefined
  /** The number of rows, counted from the first, among which one makes the server fail. */
  suspects?: number | undefined
}

/** A line's number in URLs: assigned when this device first sees the line, never reused. */
export type LineNumber = { n: number; lineId: string; jobId: number }

/**
 * A code that opened a job on this device. `subjectId`: the subject whose own code it is; null for a code of the whole
 * job.
 */
export type StoredAccessCode = {
  jobId: number
  code: string
  studioSlug: string
  studioId: number
  subjectId: number | null
}

/**
 * A subject that the customer confirmed. `proof`: the search's token for it; null if the subject's own code opened it.
 */
export type ConfirmedSubject = { jobId: number; subjectId: number; proof: string | null }

/**
 * A subject typed in on this device before the picture day. `n` counts from 1 on this device; URLs say `-n`, so that it
 * is never confused with an id of the studio.
 */
export type TypedSubjectRow = { n: number; jobId: number } & TypedSubject

/** `totalCents` and `cartVersion` are what the customer was shown. */
export type PaymentAttempt = {
  attemptId: string
  paymentToken: string | null
  totalCents: number
  cartVersion: number
  startedAt: string
}

/** `checkoutId` stays until the cart is ordered; `attempt` is the payment whose outcome is not known yet. */
export type StoredCheckout = CartKey & { checkoutId: string; attempt: PaymentAttempt | null }

export type StoredOrder = { orderNumber: string; jobId: number; order: Order | null; keptAt: string }

/**
 * A grant to see images, and when the server last confirmed it (milliseconds since 1970). The image cache deletes
 * images without a grant.
 */
export type StoredGrant = { grantId: string; jobId: number; seenAt: number }

/**
 * A job to which this device lost access: codes and subjects are sent again before anything of its carts. `rejection`:
 * the server rejected every stored code, so nothing is sent before the customer acts. `stale`: cached responses of the
 * job may be of another session.
 */
export type LostAccess = { jobId: number; rejection: Rejection | null; stale: boolean }

/** The job, or else the studio, that this device opened last. `studioName`: undefined until the studio is loaded. */
export type LastOpenedJob = { studioSlug: string; jobId: number | null; studioName?: string | undefined }

export type DeviceEntry =
  | { key: 'cart'; value: { cartJobId: number; orderMethod: OrderMethod; cartPackageCount: number } }
  /** The order method that the customer chose, and the job it was chosen for. */
  | { key: 'method'; value: CartKey }
  /** What the link back opens. */
  | { key: 'visit'; value: LastOpenedJob }
  /** Increases with each new session, so that responses to an earlier one are recognised. */
  | { key: 'session'; value: number }
  /** The version of the session's images at the last check for withdrawn ones. */
  | { key: 'photos'; value: string }
  /** The jobs to which this device lost access. */
  | { key: 'shut'; value: LostAccess[] }
  /** A new id each time the database is created on this device. */
  | { key: 'created'; value: string }

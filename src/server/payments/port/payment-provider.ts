/** An attempt to take a payment. `attemptId` is the idempotency key: at most one charge is made for it. */
export type ProviderAttempt = {
  readonly attemptId: string
  readonly amountCents: number
  readonly currency: string
  /** The connected account that is paid; null if there is none. */
  readonly account: string | null
  /** The platform's commission, part of the amount. */
  readonly commissionCents: number
  /** When the attempt was recorded, before the provider was called. */
  readonly beganAt: Date
}

export type Charge = ProviderAttempt & {
  /** The browser's token for the card; card numbers never reach the server. */
  readonly paymentToken: string
  /** The customer's answer to the bank, if an earlier outcome required authentication. */
  readonly authentication?: 'confirmed' | 'cancelled' | undefined
}

/**
 * The outcome of an attempt. `message` is for the customer; `clientSecret` is for authentication in the browser, null
 * if the page itself asks.
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
  /** The part of the platform's commission that is refunded. */
  readonly commissionCents: number
}

/** The outcome of a refund; ask again for a `pending` one. `message` is for staff. */
export type RefundOutcome =
  | { readonly state: 'done'; readonly reference: string }
  | { readonly state: 'pending'; readonly reference: string }
  | { readonly state: 'failed'; readonly message: string }

/**
 * A payment provider (section 7). Every method resolves within 20 seconds or rejects. A rejection does not show whether
 * money moved; only `find` does.
 */
export type Payment = {
  readonly name: 'test' | 'stripe'
  /** The key for making tokens in the browser; null if none is needed. */
  readonly publishableKey: string | null
  charge(charge: Charge): Promise<ChargeOutcome>
  /** The provider's own record of an attempt; undefined if it has none. */
  find(attempt: ProviderAttempt): Promise<ChargeOutcome | undefined>
  /**
   * Closes an attempt that has no final outcome and returns the final one. Nothing can be charged by its key
   * afterwards.
   */
  close(attempt: ProviderAttempt): Promise<ChargeOutcome & { state: 'succeeded' | 'declined' }>
  /** Refunds a charge, never more than was charged. */
  refund(refund: Refund): Promise<RefundOutcome>
}

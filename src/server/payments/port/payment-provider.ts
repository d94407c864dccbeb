/** One try to take money. `attemptId` is its key: however often it is asked with the same one, money is taken once at most. */
export type ProviderAttempt = {
  readonly attemptId: string
  readonly amountCents: number
  readonly currency: string
  /** The connected account the money is for; null where there is none. */
  readonly account: string | null
  /** The platform's part of the amount. */
  readonly commissionCents: number
  /** When it was written down, before anybody was asked. */
  readonly beganAt: Date
}

export type Charge = ProviderAttempt & {
  /** What the browser made of the card; a card number never comes here. */
  readonly paymentToken: string
  /** What the customer answered their bank, when an earlier outcome asked for it. */
  readonly authentication?: 'confirmed' | 'cancelled' | undefined
}

/**
 * What became of an attempt. `message` is a sentence for the customer; `clientSecret` is what the browser asks the bank with, null where
 * the page itself asks.
 */
export type ChargeOutcome =
  | { readonly state: 'succeeded'; readonly reference: string; readonly cardEnding: string | null }
  | { readonly state: 'declined'; readonly reference: string | null; readonly code: string; readonly message: string }
  | { readonly state: 'requires-action'; readonly reference: string; readonly clientSecret: string | null }

/** Money that goes back. `refundId` is its key: however often it is asked with the same one, money goes back once at most. */
export type Refund = {
  readonly refundId: string
  /** The charge as the provider named it. */
  readonly reference: string
  readonly account: string | null
  readonly amountCents: number
  /** What of it the platform gives back of its own part. */
  readonly commissionCents: number
}

/** What became of a refund; `pending` is known later, by asking again. `message` is for staff. */
export type RefundOutcome =
  | { readonly state: 'done'; readonly reference: string }
  | { readonly state: 'pending'; readonly reference: string }
  | { readonly state: 'failed'; readonly message: string }

/**
 * Who takes the money (section 7). Every verb answers within 20 seconds or rejects; a rejection says nothing of whether money was
 * taken, only `find` does.
 */
export type Payment = {
  readonly name: 'test' | 'stripe'
  /** What the browser needs to make tokens; null where it needs nothing. */
  readonly publishableKey: string | null
  charge(charge: Charge): Promise<ChargeOutcome>
  /** The provider's own record of an attempt; undefined when it never heard of it. */
  find(attempt: ProviderAttempt): Promise<ChargeOutcome | undefined>
  /** Ends an attempt that has no final outcome and gives the final one: after this, nothing will ever be charged by its key. */
  close(attempt: ProviderAttempt): Promise<ChargeOutcome & { state: 'succeeded' | 'declined' }>
  /** Gives money of a charge back, never more than was charged. */
  refund(refund: Refund): Promise<RefundOutcome>
}

/** Word from the provider that something happened. It is never believed, only taken for a reason to ask. */
export type ProviderEvent = {
  readonly id: string
  readonly kind: string
  readonly account: string | null
  /** The attempt or the refund it is about, where it is about one of ours. */
  readonly attemptId: string | null
  readonly refundId: string | null
}

/** What the provider posts by itself. */
export type PaymentEvents = {
  /** Undefined unless the body is signed by the provider, just now. */
  read(body: Buffer, signature: string): Promise<ProviderEvent | undefined>
}

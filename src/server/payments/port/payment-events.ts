/** A webhook event. It is not trusted, only taken as a reason to ask the provider. */
export type ProviderEvent = {
  readonly id: string
  readonly kind: string
  readonly account: string | null
  /** The attempt or refund it concerns, if it is one of ours. */
  readonly attemptId: string | null
  readonly refundId: string | null
}

/** The provider's webhook. */
export type PaymentEvents = {
  /** Undefined unless the body has a valid, recent signature of the provider. */
  read(body: Buffer, signature: string): Promise<ProviderEvent | undefined>
}

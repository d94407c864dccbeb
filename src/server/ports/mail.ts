export type Message = {
  /** Idempotency key: messages with the same key are sent once, because jobs may be retried. */
  readonly key: string
  /** Null if no studio is the sender: for administrators of the platform. */
  readonly studioId: number | null
  /** The order that the message is about, for the log. */
  readonly orderId?: number | undefined
  /** The kind of message for the log: `receipt`. */
  readonly kind: string
  readonly to: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Secrets contained in the bodies. They are sent to the recipient but never logged. */
  readonly secrets: readonly string[]
  /** Address that ends such emails at once when a mail program posts to it (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/**
 * Sends emails. `send` resolves to the answer of the mail server; undefined if the email was only logged, was sent before, or
 * was rejected for good.
 */
export type Mail = { send(message: Message): Promise<string | undefined> }

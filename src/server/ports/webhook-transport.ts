/** A signed request to a webhook. */
export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The status and the beginning of an answer, or why there was none, as a message. */
export type WebhookAnswer = { readonly status: number; readonly text: string } | { readonly error: string }

/** Posts requests to the webhooks of studios. Always resolves, within about ten seconds. */
export type WebhookTransport = { post(request: WebhookRequest): Promise<WebhookAnswer> }

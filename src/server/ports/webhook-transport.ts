/** A signed request to a webhook. */
export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type WebhookAnswer =
  | {
      readonly status: number
      /** The first kilobyte. */
      readonly text: string
    }
  | {
      /** Why there was no answer, as a message for the studio’s owners. */
      readonly error: string
    }

/** Posts requests to the webhooks of studios. Always resolves, within about ten seconds. */
export type WebhookTransport = { post(request: WebhookRequest): Promise<WebhookAnswer> }

import Stripe from 'stripe'

export type StripeSettings = {
  readonly secretKey: string
  readonly publishableKey: string
  /** Base URL of the API; undefined for Stripe itself. */
  readonly apiUrl: string | undefined
}

/** The timeout of one attempt of a call in milliseconds; a call has two attempts. */
const attemptTimeoutMs = 6_000

/** A Stripe client for these settings. */
export const stripeClient = ({ secretKey, apiUrl }: StripeSettings): Stripe => {
  const url = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new Stripe(secretKey, {
    timeout: attemptTimeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

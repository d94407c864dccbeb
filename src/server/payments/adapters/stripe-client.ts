import Stripe from 'stripe'

export type StripeSettings = {
  readonly secretKey: string
  readonly publishableKey: string
  /** Base URL of the API; undefined for Stripe itself. */
  readonly apiUrl: string | undefined
}

/** Milliseconds per try; a call has two tries. */
const callTimeout = 6_000

/** A Stripe client for these settings. */
export const stripeClient = ({ secretKey, apiUrl }: StripeSettings): Stripe => {
  const url = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new Stripe(secretKey, {
    timeout: callTimeout,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

import Stripe from 'stripe'

export type StripeSettings = {
  readonly secretKey: string
  readonly publishableKey: string
  /** Where its API is; undefined is Stripe itself. */
  readonly apiUrl: string | undefined
}

/** Milliseconds; a call is tried twice. */
const callTimeout = 6_000

/** Stripe's library, asking where the settings say. */
export const stripeClient = ({ secretKey, apiUrl }: StripeSettings): Stripe => {
  const place = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new Stripe(secretKey, {
    timeout: callTimeout,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(place && {
      host: place.hostname,
      port: place.port || (place.protocol === 'http:' ? 80 : 443),
      protocol: place.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

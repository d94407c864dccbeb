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

/** The timeout of a call; its outcome is then unknown. */
const timeoutMs = 20_000

/** Rejects a call that takes longer than 20 seconds. */
export const withTimeout = async <Result>(call: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Stripe did not answer in time')), timeoutMs)
  })
  return await Promise.race([call, timeout]).finally(() => clearTimeout(timer))
}

import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getHealth } from '#contract/system/health.ts'
import { brieflyCached } from '../configuration/briefly-cached.ts'
import { readSetting, unchangedValue } from '../configuration/read-settings.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from './client-address.ts'

const windowMs = 60_000

/** An address has sent more requests than the limit. */
class TooManyRequests extends Error {
  override name = 'TooManyRequests'
  readonly statusCode = 429
}

/**
 * Whether a request is not limited: health, which monitors must reach, and assets, which are cheap to serve and cached.
 */
const isExempt = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url === getHealth.path || url?.startsWith('/assets/') === true

/**
 * Limits the requests of one address to the setting `requests-per-minute` on every route except health and assets. Further requests
 * of the minute are answered with 429 and `Retry-After`. Counts are in the memory of this process, so each process has
 * its own limit, and a restart resets it. This protects the server from floods; `bruteForceGuard` counts guesses in the
 * database.
 */
export const limitRequestRate = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const limit = brieflyCached(deps, {
    name: 'the limit on requests',
    initial: unchangedValue(deps, 'requests-per-minute'),
    read: () => readSetting(deps.db, deps, 'requests-per-minute'),
  })
  await app.register(fastifyRateLimit, {
    // Pages are served while the database does not respond.
    max: limit.latest,
    timeWindow: windowMs,
    keyGenerator: clientAddressOf,
    allowList: isExempt,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: () => new TooManyRequests('an address has sent too many requests'),
  })
}

import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getHealth } from '#contract/system/health.ts'
import { bearerTokenOf } from '../access/tokens/access-token.ts'
import { isApiToken } from '../access/tokens/api-token.ts'
import { brieflyCached } from '../configuration/briefly-cached.ts'
import { readSetting, unchangedValue } from '../configuration/read-settings.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from './client-address.ts'
import { hashOf } from './hash.ts'
import { sendAnswer } from './mount.ts'
import { type Answer, answerOf, problem } from './problem.ts'

const windowMs = 60_000

/** Requests of one API token in a minute: ten a second, more than a program that does not flood the server needs. */
export const maxTokenRequests = 600

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

const apiTokenOf = (request: FastifyRequest): string | undefined => {
  const token = bearerTokenOf(request)
  return token !== undefined && isApiToken(token) ? token : undefined
}

/** Limits the requests of one API token to `maxTokenRequests` in a minute, from any address. Counted as those of an address. */
const limitTokenRate = (app: FastifyInstance): void => {
  const countRequest = app.createRateLimit({
    max: maxTokenRequests,
    timeWindow: windowMs,
    keyGenerator: (request) => `token ${hashOf(apiTokenOf(request) ?? '')}`,
  })
  const rejectExceeding = async (request: FastifyRequest): Promise<Answer | undefined> => {
    const limit = await countRequest(request)
    if (limit.isAllowed || !limit.isExceeded) return undefined
    const message = `This token has sent more than ${maxTokenRequests} requests in a minute`
    return answerOf(problem('slow-down', message, { retryAfterSeconds: limit.ttlInSeconds }))
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (apiTokenOf(request) === undefined) return done()
    rejectExceeding(request).then((answer) => (answer ? void sendAnswer(reply, answer) : done()), done)
  })
}

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
  limitTokenRate(app)
}

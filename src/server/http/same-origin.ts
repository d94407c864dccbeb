import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findEvent } from '#contract/customer/find-event.ts'
import { searchOrder } from '#contract/customer/order-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, problem } from './problem.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
/** Calls with GET that create grants and count failures. */
const writingGetPaths: readonly (string | undefined)[] = [redeemCode.path, findEvent.path, searchOrder.path]

const isWrite = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  !safeMethods.includes(method) || writingGetPaths.includes(url)

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined)

/** Whether an `Origin` is the host of the request (the platform's, or a studio's own), or the public URL. */
const isOwnOrigin = ({ settings: { publicUrl } }: Deps, { host }: FastifyRequest, origin: string): boolean => {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  // Anyone who controls the network may have changed a page that was loaded over http.
  if (publicUrl?.startsWith('https:') && protocol !== 'https:') return false
  // Parses the host with the scheme of the origin, because default ports are omitted and a proxy may terminate TLS.
  return (
    originHost !== '' &&
    (originHost === hostOf(`${protocol}//${host}`) || originHost === (publicUrl && hostOf(publicUrl)))
  )
}

/**
 * Whether a page of another origin sent this request, according to the browser. `Sec-Fetch-Site` decides; if it is
 * missing (plain http, old browsers), `Origin` is sent with every write. A client that sends neither is not a browser,
 * and has no cookie of another user.
 */
const isCrossOrigin = (deps: Deps, request: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnOrigin(deps, request, origin)
}

/**
 * Refuses each write from a page of another origin, because cookies are also sent with requests from sibling hosts. It
 * applies to writes without a cookie as well: only the pages of this server send a bearer token, and payment providers
 * post without an `Origin`.
 */
export const rejectCrossOriginWrites = (app: FastifyInstance, deps: Deps): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isWrite(request) || !isCrossOrigin(deps, request)) return done()
    sendAnswer(reply, answerOf(problem('not-allowed', 'This request came from another site')))
  })
}

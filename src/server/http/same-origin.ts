import type { FastifyInstance, FastifyRequest } from 'fastify'
import { searchOrder } from '#contract/customer/checkout-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, problem } from './problem.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
/** These two use GET, but create grants and count failures. */
const writingReads: readonly (string | undefined)[] = [redeemCode.path, searchOrder.path]

const isWrite = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  !safeMethods.includes(method) || writingReads.includes(url)

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined)

/** Whether an `Origin` is the host of the request (the platform's, or a studio's own), or the public URL. */
const isOwnOrigin = ({ settings: { publicUrl } }: Deps, { host }: FastifyRequest, origin: string): boolean => {
  if (!URL.canParse(origin)) return false
  const { protocol, host: from } = new URL(origin)
  // A page loaded by http may have been written by anyone who controls the network.
  if (publicUrl?.startsWith('https:') && protocol !== 'https:') return false
  // By the scheme of the origin: its default port is not written, and a proxy may have ended TLS.
  return from !== '' && (from === hostOf(`${protocol}//${host}`) || from === (publicUrl && hostOf(publicUrl)))
}

/**
 * Whether a page of another origin makes this request, according to the browser. `Sec-Fetch-Site` decides; where it is missing (plain http,
 * old browsers), `Origin` comes with every write. A client that sends neither is no browser, and has no other user's cookie.
 */
const isForeign = (deps: Deps, request: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnOrigin(deps, request, origin)
}

/**
 * Refuses each write from a page of another origin: cookies are sent with requests of sibling hosts, too. Applies to every write, not only
 * those with a cookie: only our own pages send a bearer token, and payment providers post without an `Origin`.
 */
export const rejectCrossOriginWrites = (app: FastifyInstance, deps: Deps): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (!isWrite(request) || !isForeign(deps, request)) return
    return sendAnswer(reply, answerOf(problem('not-allowed', 'This request came from another site')))
  })
}

import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Deps } from '../deps.ts'
import type { ProviderOrigins } from '../payments/port/payment-provider.ts'

const self = "'self'"
const none = "'none'"

/** The hashes of the inline scripts and style sheets of the built pages. */
type InlineHashes = { readonly scriptHashes: readonly string[]; readonly styleHashes: readonly string[] }

/**
 * Builds the content security policy. It depends on the build only, not on the settings (section 9): it lists the
 * origins of every payment provider, so that a cached page can pay after the configured provider changes.
 */
const buildPolicy = (payment: ProviderOrigins, hashes: InlineHashes): string =>
  Object.entries(buildDirectives(payment, hashes))
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join(';')

const buildDirectives = (
  payment: ProviderOrigins,
  { scriptHashes, styleHashes }: InlineHashes,
): Record<string, readonly string[]> => ({
  'default-src': [self],
  'script-src': [self, ...scriptHashes, ...payment.scripts],
  'script-src-attr': [none],
  'style-src': [self, ...styleHashes],
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': [self, 'data:', 'blob:'],
  'font-src': [self],
  'connect-src': [self, ...payment.calls],
  'frame-src': payment.frames,
  'worker-src': [self],
  'manifest-src': [self],
  'object-src': [none],
  'base-uri': [none],
  'form-action': [self],
  'frame-ancestors': [none],
})

/** Pages that search engines may list, and the code they need: not those of events, children, orders and shared photos. */
const publicPages = /^\/(assets\/|[^/?]*(\?|$))/

const yearSeconds = 365 * 24 * 60 * 60

/** The headers that helmet sets on every response. They are the same for each, so they are read from one. */
const readHelmetHeaders = (): OutgoingHttpHeaders => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const addHeaders = helmet({
    // Set below, because helmet does not know the build's policy.
    contentSecurityPolicy: false,
    // Set below, only over https: over http it would be ignored or lock a developer out of localhost.
    strictTransportSecurity: false,
    // URLs contain codes and order numbers.
    referrerPolicy: { policy: 'same-origin' },
    // Same as the policy's `frame-ancestors 'none'`, for browsers that do not support it.
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  addHeaders(request, response, (error) => {
    if (error) throw error
  })
  return response.getHeaders()
}

/** Adds the security headers to every response. */
export const addSecurityHeaders = (
  app: FastifyInstance,
  deps: Deps,
  hashes: InlineHashes = { scriptHashes: [], styleHashes: [] },
): void => {
  const isPublicHttps = deps.settings.publicUrl?.startsWith('https:') ?? false
  const headers = {
    ...readHelmetHeaders(),
    'content-security-policy': buildPolicy(deps.paymentOrigins, hashes),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (!publicPages.test(request.url)) reply.header('x-robots-tag', 'noindex, noimageindex')
    if (request.protocol === 'https' || isPublicHttps)
      reply.header('strict-transport-security', `max-age=${yearSeconds}`)
    done()
  })
}

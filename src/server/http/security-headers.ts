import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/** Stripe's own origins, as its guide lists them. Every build contains them, so that a cached page can pay whatever is configured later. */
const stripe = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
}

const self = "'self'"
const none = "'none'"

/** The content security policy: one per build, whatever the settings (section 9). */
const policyFor = (scriptHashes: readonly string[]): string =>
  Object.entries(directivesFor(scriptHashes))
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join(';')

const directivesFor = (scriptHashes: readonly string[]): Record<string, readonly string[]> => ({
  'default-src': [self],
  'script-src': [self, ...scriptHashes, ...stripe.scripts],
  'script-src-attr': [none],
  'style-src': [self],
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': [self, 'data:', 'blob:'],
  'font-src': [self],
  'connect-src': [self, ...stripe.calls],
  'frame-src': stripe.frames,
  'worker-src': [self],
  'manifest-src': [self],
  'object-src': [none],
  'base-uri': [none],
  'form-action': [self],
  'frame-ancestors': [none],
})

const yearSeconds = 365 * 24 * 60 * 60

/** Adds the security headers to every response. */
export const addSecurityHeaders = async (
  app: FastifyInstance,
  deps: Deps,
  scriptHashes: readonly string[],
): Promise<void> => {
  await app.register(fastifyHelmet, {
    // Set below: helmet would build the same text for each response.
    contentSecurityPolicy: false,
    // Set below, and only over https: elsewhere it would be ignored or lock a developer out of localhost.
    strictTransportSecurity: false,
    // URLs contain codes and order numbers.
    referrerPolicy: { policy: 'same-origin' },
    // Same as the policy's `frame-ancestors 'none'`, for browsers that do not support it.
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  const isPublicHttps = deps.settings.publicUrl?.startsWith('https:') ?? false
  const policy = policyFor(scriptHashes)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', policy)
    reply.header('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
    if (request.protocol === 'https' || isPublicHttps)
      reply.header('strict-transport-security', `max-age=${yearSeconds}`)
  })
}

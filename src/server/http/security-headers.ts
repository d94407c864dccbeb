import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/** Stripe's own origins, as its guide lists them. They stand in every build, so that a kept page can pay whatever is set later. */
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

/** What every answer carries for the browser's own protection. */
export const addSecurityHeaders = async (
  app: FastifyInstance,
  deps: Deps,
  scriptHashes: readonly string[],
): Promise<void> => {
  await app.register(fastifyHelmet, {
    // Told below: helmet would write the same words anew for each answer.
    contentSecurityPolicy: false,
    // Told below, and only to who came by https: elsewhere it would mean nothing or lock a developer out of localhost.
    strictTransportSecurity: false,
    // Addresses hold codes and order numbers.
    referrerPolicy: { policy: 'same-origin' },
    // The same as the policy's `frame-ancestors 'none'`, for browsers that do not read it.
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

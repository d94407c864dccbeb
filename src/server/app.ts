import fastifyCookie from '@fastify/cookie'
import { type FastifyInstance, fastify } from 'fastify'
import { mountAccounts } from './accounts/routes.ts'
import { mountAuth } from './auth/routes.ts'
import { mountCarts } from './carts/routes.ts'
import { mountCatalogue } from './catalogue/routes.ts'
import { mountPaymentEvents } from './checkout/payment-events.ts'
import { mountCheckout } from './checkout/routes.ts'
import { inTurn } from './database/turnstile.ts'
import type { Deps } from './deps.ts'
import { mountDownloads } from './downloads/routes.ts'
import { mountEntry } from './entry/routes.ts'
import { mountFind } from './find/routes.ts'
import { mountGreenScreens } from './green-screens/routes.ts'
import { mountHandOver } from './hand-over/routes.ts'
import { mountHealth } from './health/health.ts'
import { readAddresses } from './http/address.ts'
import type { BuiltClient } from './http/built-client.ts'
import { compressAnswers } from './http/compress-answers.ts'
import { answerFailures, frameworkFailure, rawFailure } from './http/failures.ts'
import { readJsonBodies } from './http/json-body.ts'
import { endConnectionsOnClose } from './http/last-answers.ts'
import { obeyMaintenance } from './http/maintenance.ts'
import { sendAnswer } from './http/mount.ts'
import { servePages } from './http/pages.ts'
import { answerOf, problem } from './http/problem.ts'
import { logRequests } from './http/request-log.ts'
import { refuseForeignWrites } from './http/same-origin.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { mountImageLookups } from './image-lookups/routes.ts'
import { mountImports } from './imports/routes.ts'
import { mountLanding } from './landing/routes.ts'
import { mountOrders } from './orders/routes.ts'
import { mountStaffOrders } from './orders/staff-routes.ts'
import { mountOrganizations } from './organizations/routes.ts'
import { mountPackageSets } from './package-sets/routes.ts'
import { mountPhotos } from './photos/routes.ts'
import { mountPlatform } from './platform/routes.ts'
import { mountProduction } from './production/routes.ts'
import { mountShoots } from './shoots/routes.ts'
import { mountOrderLists } from './staff-orders/routes.ts'
import { mountStudio } from './studio/routes.ts'
import { mountStudioJobs } from './studio-jobs/routes.ts'
import { mountSubjects } from './subjects/routes.ts'
import { mountUploads } from './uploads/routes.ts'

/** A cart's whole outbox fits; pictures come another way. */
const mostBytes = 2 * 1024 * 1024
/** A whole outbox over the slowest of telephones; whoever sends a byte at a time to hold a connection is cut off. */
const mostMilliseconds = 120_000

const bareApp = (deps: Deps): FastifyInstance => {
  const trusted = deps.settings.trustProxy
  return fastify({
    logger: false,
    bodyLimit: mostBytes,
    requestTimeout: mostMilliseconds,
    genReqId: () => deps.newId(),
    requestIdHeader: false,
    trustProxy: typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: frameworkFailure,
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(rawFailure(error.code))
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
}

/** The server's whole surface; the list of features is its table of contents. Without a built client it is the API alone. */
export const buildApp = async (deps: Deps, client?: BuiltClient): Promise<FastifyInstance> => {
  const app = bareApp(deps)
  readAddresses(app)
  await addSecurityHeaders(app, deps, client?.scriptHashes ?? [])
  await compressAnswers(app)
  await app.register(fastifyCookie)
  readJsonBodies(app)
  logRequests(app, deps)
  answerFailures(app, deps)
  endConnectionsOnClose(app)
  refuseForeignWrites(app, deps)
  const inMaintenance = obeyMaintenance(app, deps)
  // After the body is read: what runs as bytes come in is not known to be this request's.
  app.addHook('preValidation', (_request, _reply, done) => inTurn(done))

  mountAuth(app, deps)
  mountAccounts(app, deps)
  mountFind(app, deps)
  mountCatalogue(app, deps)
  mountPhotos(app, deps)
  mountCarts(app, deps)
  mountHandOver(app, deps)
  mountCheckout(app, deps)
  mountPaymentEvents(app, deps)
  mountOrders(app, deps)
  mountDownloads(app, deps)
  mountStaffOrders(app, deps)
  mountOrderLists(app, deps)
  mountProduction(app, deps)
  mountShoots(app, deps)
  mountEntry(app, deps)
  await mountUploads(app, deps)
  await mountImageLookups(app, deps)
  mountStudioJobs(app, deps)
  mountPlatform(app, deps)
  mountOrganizations(app, deps)
  await mountStudio(app, deps)
  mountPackageSets(app, deps)
  await mountGreenScreens(app, deps)
  mountSubjects(app, deps)
  await mountImports(app, deps)
  mountHealth(app, deps, { build: client?.build ?? 'none', inMaintenance })

  if (client) {
    await servePages(app, deps, client)
    mountLanding(app, deps, client)
  } else {
    app.setNotFoundHandler((_request, reply) => sendAnswer(reply, answerOf(problem('not-found'))))
  }

  return app
}

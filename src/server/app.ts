import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import { type FastifyInstance, fastify } from 'fastify'
import { mountAccounts } from './access/accounts/account-routes.ts'
import { mountApiTokens } from './access/api-tokens/api-token-routes.ts'
import { mountAuth } from './access/sign-in/sign-in-routes.ts'
import { mountSupportAccess } from './access/support/support-routes.ts'
import { mountTwoFactor } from './access/two-factor/two-factor-routes.ts'
import { mountApiReference } from './api-reference/api-reference-routes.ts'
import { mountCarts } from './carts/cart-routes.ts'
import { mountCatalogue } from './catalogue/catalogue-routes.ts'
import { mountCommissions } from './commissions/commission-routes.ts'
import { inArrivalOrder } from './database/fair-queue.ts'
import type { Deps } from './deps.ts'
import { mountDiscovery } from './discovery/discovery-routes.ts'
import { mountDownloads } from './downloads/download-routes.ts'
import { mountHealth } from './health/health.ts'
import { resolveClientAddresses } from './http/client-address.ts'
import { answerFrameworkError, rawErrorResponse, registerErrorHandlers } from './http/error-handler.ts'
import { enforceMaintenanceMode } from './http/maintenance-mode.ts'
import { sendAnswer } from './http/mount.ts'
import type { BuiltClient } from './http/pages/built-client.ts'
import { servePages } from './http/pages/serve-pages.ts'
import { answerOf, problem } from './http/problem.ts'
import { limitRequestRate } from './http/rate-limit.ts'
import { logRequests } from './http/request-log.ts'
import { rejectCrossOriginWrites } from './http/same-origin.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { mountImageExports } from './image-exports/image-export-routes.ts'
import { retryExport } from './image-exports/start-export.ts'
import { mountGreenScreens } from './images/green-screens/green-screen-routes.ts'
import { mountImageLookups } from './images/lookups/image-lookup-routes.ts'
import { mountImages } from './images/serving/image-routes.ts'
import { removeClaimedFiles } from './images/uploads/remove-claimed-files.ts'
import { mountUploads } from './images/uploads/upload-routes.ts'
import { mountImports } from './imports/import-routes.ts'
import { mountStudioJobs } from './jobs/job-routes.ts'
import { mountLanding } from './landing/landing-routes.ts'
import { mountCustomerOrders } from './orders/customer/customer-order-routes.ts'
import { mountOrderDocuments } from './orders/documents/document-routes.ts'
import { mountEntry } from './orders/entry/entry-routes.ts'
import { mountOrderActions } from './orders/staff/order-action-routes.ts'
import { mountOrderLists } from './orders/staff/order-list-routes.ts'
import { mountOrganizations } from './organizations/organization-routes.ts'
import { mountPackageSets } from './package-sets/package-set-routes.ts'
import { mountPaymentWebhook } from './payments/attempts/payment-webhook.ts'
import { taxRequestOfCheckout } from './payments/checkout/checkout-context.ts'
import { mountCheckout } from './payments/checkout/checkout-routes.ts'
import { mountLedger } from './payments/ledger/ledger-routes.ts'
import { mountGalleriesProcessing } from './platform/galleries-processing/galleries-processing-routes.ts'
import { mountOrderErrors } from './platform/order-errors/order-error-routes.ts'
import { mountPlatformHome } from './platform/platform-home.ts'
import { mountPlatform } from './platform/platform-routes.ts'
import { mountProduction } from './production/production-routes.ts'
import { retryPacket } from './production/retry-packet.ts'
import { mountPromotions } from './promotions/promotion-routes.ts'
import { mountReminders } from './reminders/reminder-routes.ts'
import { mountReports } from './reports/report-routes.ts'
import { mountShares } from './shares/share-routes.ts'
import { mountShoots } from './shoots/shoot-routes.ts'
import { mountStudio } from './studio/studio-routes.ts'
import { mountStudioExports } from './studio-data/studio-export-routes.ts'
import { mountSubjects } from './subjects/subject-routes.ts'
import { mountHandOver } from './transfer/hand-over-routes.ts'
import { mountWebhooks } from './webhooks/webhook-routes.ts'
import { mountYearBook } from './year-book/year-book-routes.ts'

/** Large enough for a cart's whole outbox. Images are uploaded by another route. */
const maxBodyBytes = 2 * 1024 * 1024
/**
 * Long enough for a whole outbox over the slowest mobile connection. Cuts off clients that trickle bytes to hold a
 * connection.
 */
const requestTimeoutMs = 120_000

const createFastify = (deps: Deps): FastifyInstance => {
  const trustProxy = deps.settings.trustProxy
  return fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    genReqId: () => deps.newId(),
    requestIdHeader: false,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(rawErrorResponse(error.code))
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
}

/** Compresses responses as they are created; files that the build compressed are sent as they are. */
const compressResponses = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // Compresses a cart or a package list in one call, in 0.1 ms; a stream takes five times as long.
    syncThreshold: 64 * 1024,
    // The highest quality suits files that are compressed once; here it would cost more time than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    globalDecompression: false,
  })
}

/**
 * Parses JSON bodies; any other content type is answered with 415. An empty body counts as no body, because some
 * clients send a content type without a body. `__proto__` and `constructor` are refused.
 */
const parseJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else parse(request, String(text), done)
  })
}

/**
 * Closes the connection after each response that is sent while the server stops. Otherwise the browser would keep the
 * connection open, and the server would wait for it.
 */
const closeKeepAliveConnections = (app: FastifyInstance): void => {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
}

/**
 * Builds the whole HTTP server; the list of mounted features is its table of contents. Without a built client it serves
 * only the API.
 */
export const buildApp = async (deps: Deps, client?: BuiltClient): Promise<FastifyInstance> => {
  const app = createFastify(deps)
  resolveClientAddresses(app)
  addSecurityHeaders(app, deps, client)
  await compressResponses(app)
  await app.register(fastifyCookie)
  parseJsonBodies(app)
  logRequests(app, deps)
  registerErrorHandlers(app, deps)
  closeKeepAliveConnections(app)
  rejectCrossOriginWrites(app, deps)
  await limitRequestRate(app, deps)
  const inMaintenance = enforceMaintenanceMode(app, deps)
  // Runs after the body is parsed: the async context that marks the request's turn would be lost if set before the
  // body's bytes arrive.
  app.addHook('preValidation', (_request, _reply, done) => inArrivalOrder(done))

  mountAuth(app, deps)
  mountTwoFactor(app, deps)
  mountAccounts(app, deps)
  mountSupportAccess(app, deps)
  mountApiTokens(app, deps)
  mountWebhooks(app, deps)
  mountDiscovery(app, deps)
  mountCatalogue(app, deps)
  mountImages(app, deps)
  mountCarts(app, deps)
  mountHandOver(app, deps)
  mountReminders(app, deps)
  mountShares(app, deps)
  mountCheckout(app, deps)
  mountPaymentWebhook(app, deps)
  mountLedger(app, deps)
  mountCustomerOrders(app, deps)
  mountDownloads(app, deps)
  mountOrderActions(app, deps)
  mountOrderLists(app, deps)
  mountOrderDocuments(app, deps)
  mountProduction(app, deps)
  mountShoots(app, deps)
  mountEntry(app, deps)
  await mountUploads(app, deps)
  await mountImageLookups(app, deps)
  mountYearBook(app, deps)
  mountImageExports(app, deps)
  mountStudioJobs(app, deps)
  await mountPlatform(app, deps, { taxRequestOfCheckout })
  mountOrderErrors(app, deps, { retryPacket })
  mountGalleriesProcessing(app, deps, { retryPacket, retryExport, removeClaimedFiles })
  mountPlatformHome(app, deps, client?.build ?? 'none')
  mountReports(app, deps)
  mountOrganizations(app, deps)
  mountCommissions(app, deps)
  await mountStudio(app, deps)
  mountStudioExports(app, deps)
  mountPackageSets(app, deps)
  mountPromotions(app, deps)
  await mountGreenScreens(app, deps)
  mountSubjects(app, deps)
  await mountImports(app, deps)
  mountApiReference(app)
  mountHealth(app, deps, { build: client?.build ?? 'none', inMaintenance })

  if (client) {
    await servePages(app, deps, client)
    mountLanding(app, deps, client)
  } else {
    app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request, reply) =>
      sendAnswer(reply, answerOf(problem('not-found'))),
    )
  }

  return app
}

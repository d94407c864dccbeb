import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getHealth } from '#contract/system/health.ts'
import { noMaintenance } from '#domain/configuration/maintenance.ts'
import { bearerTokenOf, readAccessToken } from '../access/tokens/access-token.ts'
import { brieflyCached } from '../configuration/briefly-cached.ts'
import { closedMessage, readMaintenancePlan } from '../configuration/maintenance-plan.ts'
import type { Deps } from '../deps.ts'
import { sendAnswer } from './mount.ts'
import { answerOf, problem } from './problem.ts'
import { signatureFromQuery, type UrlSignature } from './sign-url.ts'

const retryAfterSeconds = 30

/** Calls by which administrators work and sign in; other users get 403 from the first, and the sign-in itself refuses them. */
const openPaths = /^\/api\/(?:admin\/|auth\/(?!setup|invitation))/

/** Whether the user of a signed URL is an administrator. Its route checks the signature, and whether they may use it. */
const isSignerAdministrator = async ({ db }: Deps, { query }: FastifyRequest): Promise<boolean> => {
  const { by } = signatureFromQuery(query as Partial<UrlSignature>) // any query is parsed to texts or lists
  if (!/^\d{1,12}$/.test(by)) return false
  const administrators = db.selectFrom('users').select('id').where('role', '=', 'administrator')
  return (await administrators.where('id', '=', Number(by)).executeTakeFirst()) !== undefined
}

/** Whether a request is made by an administrator. Its call checks later whether the user still is one. */
const isAdministrator = async (deps: Deps, request: FastifyRequest): Promise<boolean> => {
  const token = bearerTokenOf(request)
  const user = token === undefined ? undefined : await readAccessToken(deps, token)
  if (user) return user.permissions.includes('studio.admin.crud')
  return request.routeOptions.config.isSigned === true && (await isSignerAdministrator(deps, request))
}

/**
 * Answers every call with 503 and a message while the product is closed, except the health check and the calls of
 * administrators; the shell and its files are served as usual (section 2). A planned window closes and opens it by the
 * clock. If the plan cannot be read, the last one applies. Returns a function for the health check, that returns the
 * message, or undefined while the product is open.
 */
export const enforceMaintenanceMode = (app: FastifyInstance, deps: Deps): (() => Promise<string | undefined>) => {
  const plan = brieflyCached(deps, {
    name: 'the plan of the maintenance',
    initial: noMaintenance,
    read: () => readMaintenancePlan(deps.db),
  })
  const readMessage = async () => closedMessage(deps, await plan.read())
  app.addHook('onRequest', async (request, reply) => {
    // The route's pattern, because the path may be encoded.
    const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? ''
    if (!path.startsWith('/api/') || path === getHealth.path || openPaths.test(path)) return
    const message = await readMessage()
    if (message === undefined || (await isAdministrator(deps, request))) return
    // Screens end a problem's message with a period themselves.
    return sendAnswer(reply, answerOf(problem('maintenance', message.replace(/\.$/, ''), { retryAfterSeconds })))
  })
  return readMessage
}

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/**
 * Logs one line per request, by its route: the URL itself may contain a subject's name, a code or an e-mail address, and is never logged.
 * Every response carries the id of its log lines.
 */
export const logRequests = (app: FastifyInstance, { log }: Deps): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    }
    log.info(line, 'answered')
  })
}

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/**
 * Logs one line per request, with its route. The URL is never logged, because it may contain a subject's name, a code
 * or an e-mail address. Every response carries the id of its log lines.
 */
export const logRequests = (app: FastifyInstance, { log }: Deps): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const fields = {
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    }
    log.info(fields, 'answered')
    done()
  })
}

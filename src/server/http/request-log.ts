import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/**
 * One line for each request, by its route: the address itself may hold a child's name, a code or an e-mail address, and is
 * never written down. Every answer carries the id that its lines carry.
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

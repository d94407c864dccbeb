import type { FastifyInstance } from 'fastify'

/**
 * An answer sent while the server stops is the last on its connection. Without that word the browser would keep the connection
 * open, and the stop would wait for it.
 */
export const closeKeepAliveConnections = (app: FastifyInstance): void => {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}

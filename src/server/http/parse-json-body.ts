import type { FastifyInstance } from 'fastify'

/**
 * JSON is all the API reads; anything else is 415. An empty body is none, because some clients name a type even when they send
 * nothing. `__proto__` and `constructor` are refused.
 */
export const parseJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else parse(request, String(text), done)
  })
}

import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendAnswer } from '../http/mount.ts'
import { answerOf, problem } from '../http/problem.ts'
import { documentReader } from './read-document.ts'
import { documentPath, referenceIndex, referenceOfCall, referencePath, styleSheetPath } from './reference-page.ts'

/** Valid until the next version of the server starts. */
const caching = 'public, no-cache'

const sendHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply.header('cache-control', caching).type('text/html; charset=utf-8').send(html)

/** Serves the description of the API: as an OpenAPI document for programs, and as pages for people. */
export const mountApiReference = (app: FastifyInstance): void => {
  const readDocument = documentReader()
  const styleSheet = readFileSync(new URL('./reference.css', import.meta.url), 'utf8')

  app.get(documentPath, async (request, reply) => {
    const { json, etag } = await readDocument()
    reply.header('cache-control', caching).header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(json)
  })
  app.get<{ Querystring: { q?: string | string[] } }>(referencePath, async ({ query }, reply) => {
    const { document } = await readDocument()
    return sendHtml(reply, referenceIndex(document, [query.q ?? ''].flat()[0]?.slice(0, 100) ?? ''))
  })
  app.get<{ Params: { operationId: string } }>(`${referencePath}/:operationId`, async ({ params }, reply) => {
    const { document } = await readDocument()
    const html = referenceOfCall(document, params.operationId)
    return html === undefined ? sendAnswer(reply, answerOf(problem('not-found'))) : sendHtml(reply, html)
  })
  app.get(styleSheetPath, async (_request, reply) =>
    reply.header('cache-control', caching).type('text/css; charset=utf-8').send(styleSheet),
  )
}

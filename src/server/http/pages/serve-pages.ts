import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '../mount.ts'
import { answerOf, problem } from '../problem.ts'
import type { BuiltClient } from './built-client.ts'
import { readStoredAsset } from './previous-builds.ts'

const forever = 'public, max-age=31536000, immutable'
/** Cached, but revalidated at each use: the content changes with the next build. */
const askAgain = 'no-cache'

const typeByEnding: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** A file of the build, in its precompressed form. */
const sendBuilt = (reply: FastifyReply, path: string, cacheControl: string): FastifyReply =>
  reply.header('cache-control', cacheControl).header('vary', 'accept-encoding').sendFile(path, { cacheControl: false })

/** The empty page of every navigation: the browser's router renders it. */
export const sendShell = (reply: FastifyReply, status: 200 | 404): FastifyReply =>
  sendBuilt(reply.code(status), 'app.html', askAgain)

const sendKept = async (deps: Deps, reply: FastifyReply, name: string): Promise<FastifyReply> => {
  const kept = await readStoredAsset(deps, name)
  if (!kept) return sendAnswer(reply, answerOf(problem('not-found')))
  const type = typeByEnding[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return reply.type(type).header('cache-control', forever).send(kept.body)
}

/**
 * A browser's navigation rather than a program's request for a file. A dot in the last part (`/riverside/1.5`) means a file only where the
 * request does not accept HTML.
 */
const isNavigation = ({ method, url, headers }: FastifyRequest): boolean => {
  const [path = '/'] = url.split('?', 1)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|photos|assets)(\/|$)/.test(path)) return false
  const fileName = path.slice(path.lastIndexOf('/'))
  return !fileName.includes('.') || (headers.accept ?? '').includes('text/html')
}

/** Serves the built pages: hashed files cached for ever, the rest revalidated, and the shell for every other navigation. */
export const servePages = async (app: FastifyInstance, deps: Deps, client: BuiltClient): Promise<void> => {
  await app.register(fastifyStatic, { root: client.folder, serve: false, preCompressed: true })
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params: { name } }, reply) =>
    client.assets.has(name) ? sendBuilt(reply, `assets/${name}`, forever) : await sendKept(deps, reply, name),
  )
  for (const name of client.topFiles) app.get(`/${name}`, async (_, reply) => sendBuilt(reply, name, askAgain))
  app.setNotFoundHandler(async (request, reply) =>
    isNavigation(request) ? sendShell(reply, 200) : sendAnswer(reply, answerOf(problem('not-found'))),
  )
}

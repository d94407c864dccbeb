import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '../mount.ts'
import { answerOf, problem } from '../problem.ts'
import type { BuiltClient } from './built-client.ts'
import { readStoredAsset } from './previous-builds.ts'

const immutableCaching = 'public, max-age=31536000, immutable'
/** Cached, but revalidated at each use, because the content changes with the next build. */
const revalidatedCaching = 'no-cache'

const typeByExtension: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Sends a file of the build, precompressed. */
const sendBuiltFile = (reply: FastifyReply, path: string, cacheControl: string): FastifyReply =>
  reply.header('cache-control', cacheControl).header('vary', 'accept-encoding').sendFile(path, { cacheControl: false })

/** Sends the page without content; the client's router renders the content. */
export const sendShell = (reply: FastifyReply, status: 200 | 404): FastifyReply =>
  sendBuiltFile(reply.code(status), 'app.html', revalidatedCaching)

const sendStoredAsset = async (deps: Deps, reply: FastifyReply, name: string): Promise<FastifyReply> => {
  const asset = await readStoredAsset(deps, name)
  if (!asset) return sendAnswer(reply, answerOf(problem('not-found')))
  const type = typeByExtension[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return reply.type(type).header('cache-control', immutableCaching).send(asset.body)
}

/**
 * Whether a request is a browser's navigation. A dot in the last part of the path (`/riverside/1.5`) means a file only
 * if the request does not accept HTML.
 */
const isNavigation = ({ method, url, headers }: FastifyRequest): boolean => {
  const [path = '/'] = url.split('?', 1)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|photos|assets)(\/|$)/.test(path)) return false
  const fileName = path.slice(path.lastIndexOf('/'))
  return !fileName.includes('.') || (headers.accept ?? '').includes('text/html')
}

/**
 * Serves the built pages: hashed files as immutable, other files with revalidation, and the shell for every other
 * navigation.
 */
export const servePages = async (app: FastifyInstance, deps: Deps, client: BuiltClient): Promise<void> => {
  await app.register(fastifyStatic, { root: client.folder, serve: false, preCompressed: true })
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params: { name } }, reply) =>
    client.assets.has(name)
      ? sendBuiltFile(reply, `assets/${name}`, immutableCaching)
      : await sendStoredAsset(deps, reply, name),
  )
  for (const name of client.topFiles)
    app.get(`/${name}`, async (_, reply) => sendBuiltFile(reply, name, revalidatedCaching))
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) =>
    isNavigation(request) ? sendShell(reply, 200) : sendAnswer(reply, answerOf(problem('not-found'))),
  )
}

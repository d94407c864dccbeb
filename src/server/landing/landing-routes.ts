import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { BuiltClient } from '../http/pages/built-client.ts'
import { sendShell } from '../http/pages/serve-pages.ts'
import { logoShape, logoUrl } from '../images/store/image-urls.ts'
import { codePageDeadline, openCode, sendCodePage } from './code-page.ts'
import { fillCode, fillHome, fillOpening, fillStudio, type LandingStudio } from './fill-landing-page.ts'

/** First path segments of the client's screens, which no studio can have as a slug (section 2). */
const clientScreens = new Set([
  'account',
  'admin',
  'forgot-password',
  'login',
  'logout',
  'maintenance',
  'reset-password',
  'setup',
])

const selectStudios = (db: Db) =>
  db
    .selectFrom('studios')
    .select(['slug', 'name', 'logo_hash', 'logo_width', 'logo_height'])
    .select(['accent_color as accent', 'contact_phone as phone', 'contact_email as email', 'time_zone as timeZone'])
    .where('rspo_enabled', '=', true)

type Row = Awaited<ReturnType<ReturnType<typeof selectStudios>['executeTakeFirst']>>

const toLandingStudio = (row: Row): LandingStudio | undefined => {
  if (!row) return undefined
  const { slug, name, accent, phone, email, timeZone } = row
  return { slug, name, logo: logoUrl(row), logoShape: logoShape(row), accent, phone, email, timeZone }
}

/** Finds a studio by its current or a former slug. */
const studioBySlug = async (db: Db, slug: string): Promise<LandingStudio | undefined> => {
  const studioId = db.selectFrom('studio_slugs').select('studio_id').where('slug', '=', slug)
  return toLandingStudio(await selectStudios(db).where('id', '=', studioId).executeTakeFirst())
}

/** Finds a studio by a host name that it has verified. */
const studioByHost = async (db: Db, host: string): Promise<LandingStudio | undefined> => {
  const studioId = db
    .selectFrom('studio_hosts')
    .select('studio_id')
    .where('host_name', '=', host.toLowerCase())
    .where('state', '=', 'proved')
  return toLandingStudio(await selectStudios(db).where('id', '=', studioId).executeTakeFirst())
}

const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)

const isSlug = (text: string): boolean => /^[a-z0-9-]{1,63}$/.test(text)

const queryOf = (url: string): string => /\?.*/.exec(url)?.[0] ?? ''

/** `ret`: where the client goes once the code is redeemed. */
type CodeRequest = FastifyRequest<{ Params: { slug: string; code: string }; Querystring: { ret?: string } }>

/** Sends the page of an access code. If the studio is not found before the deadline, the client looks for it. */
const answerCode = async (
  { app, deps, client }: { app: FastifyInstance; deps: Deps; client: BuiltClient },
  request: CodeRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { slug: requestedSlug, code } = request.params
  const slug = requestedSlug.toLowerCase()
  const deadline = codePageDeadline()
  const studio = isSlug(slug) ? await Promise.race([studioBySlug(deps.db, slug), deadline]) : undefined
  if (!studio) return sendShell(reply, 200)
  // The canonical URL: the client makes its calls, and stores its data, by the current slug.
  if (studio.slug !== requestedSlug)
    return reply.redirect(`/${studio.slug}/code/${encodeURIComponent(code)}${queryOf(request.url)}`)
  const responses = await openCode({ app, deps, request, deadline }, { studioSlug: slug, code })
  if (!responses) return sendPage(reply, fillOpening(client, studio))
  const offer = request.query.ret === undefined ? responses.offer : null
  const html = fillCode({ client, log: deps.log, now: deps.clock() }, studio, { ...responses, offer })
  return sendCodePage(reply, html, responses)
}

/**
 * Serves the address of an access code: the first screen of what it opens, with its data. Otherwise a page that names the
 * studio, where the client redeems the code; after an error the page without content, which does the same.
 */
const mountCodePage = (app: FastifyInstance, deps: Deps, client: BuiltClient): void => {
  app.get('/:slug/code/:code', async (request: CodeRequest, reply) => {
    try {
      return await answerCode({ app, deps, client }, request, reply)
    } catch (problem) {
      deps.log.error({ err: problem, request: request.id }, 'the page of a code could not be filled')
      return sendShell(reply, 200)
    }
  })
}

/**
 * Serves the prerendered pages: home, a studio's page at its slug and at its own host name, and the pages of access
 * codes.
 */
export const mountLanding = (app: FastifyInstance, deps: Deps, client: BuiltClient): void => {
  const { db } = deps
  const home = fillHome(client)
  mountCodePage(app, deps, client)
  app.get('/', async (request, reply) => {
    const studio = await studioByHost(db, request.hostname)
    return sendPage(reply, studio ? fillStudio(client, studio, true) : home)
  })
  app.get<{ Params: { slug: string } }>('/:slug', async ({ params: { slug: requestedSlug }, url }, reply) => {
    if (clientScreens.has(requestedSlug)) return sendShell(reply, 200)
    if (requestedSlug.includes('.')) return reply.callNotFound()
    const slug = requestedSlug.toLowerCase()
    const studio = isSlug(slug) ? await studioBySlug(db, slug) : undefined
    if (!studio) return sendShell(reply, 404)
    // One canonical URL per page: devices store data of a studio by its slug.
    if (slug !== requestedSlug) return reply.redirect(`/${slug}${queryOf(url)}`)
    return sendPage(reply, fillStudio(client, studio, false))
  })
}

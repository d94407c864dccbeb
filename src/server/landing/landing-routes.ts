import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import type { BuiltClient } from '../http/pages/built-client.ts'
import { sendShell } from '../http/pages/serve-pages.ts'
import { logoShape, logoUrl } from '../images/store/image-urls.ts'
import { openCode, sendCodePage } from './code-page.ts'
import { fillCode, fillHome, fillStudio, type LandingStudio } from './fill-landing-page.ts'

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
    .select(['accent_color as accent', 'contact_phone as phone', 'contact_email as email'])
    .where('rspo_enabled', '=', true)

type Row = Awaited<ReturnType<ReturnType<typeof selectStudios>['executeTakeFirst']>>

const toLandingStudio = (row: Row): LandingStudio | undefined => {
  if (!row) return undefined
  const { slug, name, accent, phone, email } = row
  return { slug, name, logo: logoUrl(row), logoShape: logoShape(row), accent, phone, email }
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

/**
 * Serves the address of an access code: the first screen of what it opens, with its data. Otherwise the page of the
 * studio, where the client redeems the code.
 */
const mountCodePage = (app: FastifyInstance, deps: Deps, client: BuiltClient): void => {
  app.get<{ Params: { slug: string; code: string } }>('/:slug/code/:code', async (request, reply) => {
    const { slug, code } = request.params
    const studio = isSlug(slug) ? await studioBySlug(deps.db, slug) : undefined
    if (!studio) return sendShell(reply, 200)
    const responses = await openCode({ app, deps, request }, { studioSlug: slug, code })
    if (!responses) return sendPage(reply, fillStudio(client, studio, false))
    return sendCodePage(reply, fillCode(client, studio, responses), responses)
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
    if (slug !== requestedSlug) return reply.redirect(`/${slug}${/\?.*/.exec(url)?.[0] ?? ''}`)
    return sendPage(reply, fillStudio(client, studio, false))
  })
}

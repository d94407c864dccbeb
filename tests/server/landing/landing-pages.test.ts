import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { noMaintenance } from '#domain/configuration/maintenance.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { inlineScriptHashes, inlineStyleHashes } from '#server/http/pages/built-client.ts'
import { purgeOldBuilds, storeBuild } from '#server/http/pages/previous-builds.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testDeps } from '#support/server/test-app.ts'
import { firstViewStyles, sampleBuild, themeScript } from './sample-build.ts'

type Studio = { slug: string; name: string; [column: string]: unknown }

type Host = { name: string; state: 'waiting' | 'proved' }

const addStudio = async ({ db, clock }: Deps, studio: Studio, host?: Host): Promise<void> => {
  const id = await given({ db }).studio(studio)
  if (!host) return
  const proved_at = host.state === 'proved' ? clock() : null
  const row = { host_name: host.name, studio_id: id, token: studio.slug, state: host.state, proved_at }
  await db.insertInto('studio_hosts').values(row).execute()
}

const readLandingData = (html: string) => JSON.parse(/id="landing">(.*?)<\/script>/.exec(html)?.[1] ?? '')

describe.each(enginesFor(import.meta.filename))('landing pages on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: Partial<Deps> = {}) => {
    const time = manualClock()
    const deps = testDeps(database(), { ...time, ...overrides })
    const client = await sampleBuild()
    return { deps, client, app: await buildApp(deps, client), advance: time.advance }
  }

  it('the home page is prerendered', async () => {
    const { app } = await setUp()
    const answer = await app.inject('/')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.body).toContain('Welcome to Fieldproof')
    expect(readLandingData(answer.body)).toEqual({ studio: null, ownHost: false })
  })

  it("a studio's page is prerendered with its own data", async () => {
    const { app, deps } = await setUp()
    const studio = {
      slug: 'riverside',
      name: 'Riverside Portraits',
      accent_color: '#0f766e',
      contact_phone: '555 0100',
    }
    await addStudio(deps, studio)
    const { statusCode, body } = await app.inject('/riverside?ret=%2Friverside%2F7')
    expect(statusCode).toBe(200)
    expect(body).toContain('<i>R</i><p>Riverside Portraits</p><a href="/riverside/code">')
    expect(body).toContain('<html style="--studio-accent-light:#0f766e" lang="en">')
    expect(readLandingData(body)).toEqual({
      studio: {
        slug: 'riverside',
        name: 'Riverside Portraits',
        logo: null,
        logoShape: null,
        accent: '#0f766e',
        phone: '555 0100',
        email: null,
        timeZone: 'America/New_York',
      },
      ownHost: false,
    })
  })

  it('a slug in capitals redirects to the canonical URL and keeps the query', async () => {
    const { app, deps } = await setUp()
    await addStudio(deps, { slug: 'riverside', name: 'Riverside Portraits' })
    const answer = await app.inject('/RIVERSIDE?ret=%2Friverside%2F7')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/riverside?ret=%2Friverside%2F7'])
    expect((await app.inject('/RiverSide/')).headers.location).toBe('/riverside')
    expect((await app.inject('/NOBODY')).statusCode).toBe(404)
  })

  it("a studio's page shows its logo", async () => {
    const { app, deps } = await setUp()
    const logo = { logo_key: 'logos/1.svg', logo_hash: 'abc', logo_width: 150, logo_height: 104 }
    await addStudio(deps, { slug: 'riverside', name: 'Riverside', ...logo })
    const { body } = await app.inject('/riverside')
    expect(body).toContain('<img src="/api/customer/studios/riverside/logo/abc" width="150" height="104">')
    expect(readLandingData(body).studio).toMatchObject({ logoShape: { width: 150, height: 104, wordmark: false } })
  })

  it('a studio whose logo contains its name shows the name only in the logo', async () => {
    const { app, deps } = await setUp()
    const logo = { logo_key: 'logos/1.svg', logo_hash: 'abc', logo_width: 312, logo_height: 104 }
    await addStudio(deps, { slug: 'riverside', name: 'Riverside & Co', ...logo })
    const { body } = await app.inject('/riverside')
    expect(body).toContain('<img src="/api/customer/studios/riverside/logo/abc" alt="Riverside &amp; Co">')
    expect(readLandingData(body).studio).toMatchObject({ logoShape: { width: 312, height: 104, wordmark: true } })
  })

  it("a studio's name is never interpreted as markup or as a marker", async () => {
    const { app, deps } = await setUp()
    const name = `</script><script>alert(1)</script>"&' studio-slug-marker $& $1`
    await addStudio(deps, { slug: 'evil', name })
    const { body } = await app.inject('/evil')
    expect(body).toContain(
      '&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#x27; studio-slug-marker $&amp; $1',
    )
    expect(body).not.toContain('<script>alert')
    expect(readLandingData(body).studio.name).toBe(name)
  })

  it("a studio's own host name shows its page", async () => {
    const { app, deps } = await setUp()
    const host = { name: 'pictures.riverside.test', state: 'proved' } as const
    await addStudio(deps, { slug: 'riverside', name: 'Riverside Portraits' }, host)
    const ownHostPage = await app.inject({ url: '/', headers: { host: 'Pictures.Riverside.test:4600' } })
    expect(readLandingData(ownHostPage.body)).toMatchObject({ studio: { slug: 'riverside' }, ownHost: true })
    expect(readLandingData((await app.inject('/')).body)).toEqual({ studio: null, ownHost: false })
  })

  it('an unverified host name shows no studio', async () => {
    const { app, deps } = await setUp()
    const host = { name: 'pictures.riverside.test', state: 'waiting' } as const
    await addStudio(deps, { slug: 'riverside', name: 'Riverside Portraits' }, host)
    const answer = await app.inject({ url: '/', headers: { host: host.name } })
    expect(readLandingData(answer.body)).toEqual({ studio: null, ownHost: false })
    expect(answer.body).not.toContain('Riverside')
  })

  it('every other path gets the shell of the client', async () => {
    const { app, deps } = await setUp()
    await addStudio(deps, { slug: 'off', name: 'Off', rspo_enabled: false })
    const statuses: [string, number][] = [
      ['/login', 200],
      ['/admin', 200],
      ['/maintenance?from=%2F', 200],
      ['/riverside/7/subject/3/package-options/1,2/4', 200],
      ['/riverside/code/SPRING', 200],
      ['/nobody', 404],
      ['/off', 404],
      ['/Not_A_Slug', 404],
    ]
    for (const [url, status] of statuses) {
      const answer = await app.inject(url)
      expect([url, answer.statusCode]).toEqual([url, status])
      expect(answer.body).toContain('<!--landing-->')
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
  })

  it('no other file of the build is served', async () => {
    const { app } = await setUp()
    const urls = [
      '/api/nowhere',
      '/photos/x/1/thumb-2',
      '/assets/none.js',
      '/robots.txt',
      '/build.json',
      '/templates/markers.json',
      '/assets/../build.json',
      '/assets/..%2fbuild.json',
      '/assets/..%2f..%2fetc%2fpasswd',
      '/..%2f..%2fetc/passwd.txt',
      '/.vite/manifest.json',
    ]
    for (const url of urls) {
      const answer = await app.inject(url)
      expect([url, answer.statusCode, answer.json().problem]).toEqual([url, 404, 'not-found'])
    }
    expect((await app.inject({ method: 'POST', url: '/riverside/7' })).statusCode).toBe(404)
  })

  it('hashed files are immutable and are sent precompressed', async () => {
    const { app, client } = await setUp()
    const url = '/assets/index-AbC123.js'
    const uncompressed = await app.inject(url)
    expect(uncompressed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(uncompressed.headers['content-type']).toContain('javascript')
    const brotli = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    expect([brotli.headers['content-encoding'], brotli.headers.vary]).toEqual([
      'br',
      expect.stringMatching(/accept-encoding/i),
    ])
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(uncompressed.body)
    const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(uncompressed.body)
    const revalidated = await app.inject({ url, headers: { 'if-none-match': String(uncompressed.headers.etag) } })
    expect(revalidated.statusCode).toBe(304)
    expect(client.assets.has('index-AbC123.js')).toBe(true)
  })

  it('the service worker and the pages are revalidated', async () => {
    const { app } = await setUp()
    for (const url of ['/sw.js', '/app.html', '/favicon.svg', '/login']) {
      const answer = await app.inject(url)
      expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 200, 'no-cache'])
    }
  })

  it('dynamic responses are compressed', async () => {
    const { app, deps } = await setUp()
    await addStudio(deps, { slug: 'long', name: 'Long '.repeat(400) })
    const answer = await app.inject({ url: '/api/customer/studios/long', headers: { 'accept-encoding': 'br' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(answer.rawPayload).toString()).data.slug).toBe('long')
  })

  it('the content security policy does not depend on the settings', async () => {
    const { app } = await setUp()
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test', SECRET: 's'.repeat(32) })
    const { app: secureApp } = await setUp({ settings })
    const [page, securePage] = [await app.inject('/'), await secureApp.inject('/login')]
    const policy = String(page.headers['content-security-policy'])
    expect(securePage.headers['content-security-policy']).toBe(policy)
    expect(policy).toContain(
      `script-src 'self' ${inlineScriptHashes([`<script>${themeScript}</script>`])[0]} https://js.stripe.com`,
    )
    const [styleHash] = inlineStyleHashes([`<style>${firstViewStyles}</style>`])
    expect(policy).toContain(`style-src 'self' ${styleHash};`)
    expect(policy).toContain("style-src-attr 'unsafe-inline'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(page.headers['strict-transport-security']).toBeUndefined()
    expect(securePage.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
    expect(page.headers['x-content-type-options']).toBe('nosniff')
  })

  it('files of a former build are served for thirty days after it was last used', async () => {
    const { app, deps, client, advance } = await setUp()
    const day = 24 * 60 * 60 * 1000
    const former = await sampleBuild({
      'assets/index-Old999.js': 'export const old = true\n',
      'build.json': '{"build":"fedcba9876543210"}',
    })
    await storeBuild(deps, former)
    const formerFile = await app.inject('/assets/index-Old999.js')
    expect([formerFile.statusCode, formerFile.body]).toEqual([200, 'export const old = true\n'])
    expect(formerFile.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(formerFile.headers['cache-control']).toContain('immutable')
    await storeBuild(deps, client)
    advance(29 * day)
    await purgeOldBuilds(deps, client)
    expect((await app.inject('/assets/index-Old999.js')).statusCode).toBe(200)
    advance(2 * day)
    await purgeOldBuilds(deps, client)
    expect((await app.inject('/assets/index-Old999.js')).statusCode).toBe(404)
    const names: string[] = []
    for await (const { key } of deps.files.list('builds/assets/')) names.push(key)
    expect(names.sort()).toEqual(['builds/assets/index-AbC123.css', 'builds/assets/index-AbC123.js'])
  })

  it('during maintenance pages are served and every call except health answers 503', async () => {
    const { app, deps, advance } = await setUp()
    expect((await app.inject('/api/customer/studios/nobody')).statusCode).toBe(404)
    const setMaintenance = (isOn: boolean) => {
      const value = JSON.stringify({ ...noMaintenance, isOn })
      return deps.db
        .insertInto('settings')
        .values({ key: 'maintenance', value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    }
    await setMaintenance(true)
    advance(2_000)
    const closed = await app.inject('/api/customer/studios/nobody')
    expect([closed.statusCode, closed.json()]).toEqual([
      503,
      { errors: ['We’ll be back in a moment'], problem: 'maintenance' },
    ])
    expect(closed.headers['retry-after']).toBe('30')
    for (const url of ['/', '/login', '/assets/index-AbC123.js', '/sw.js', '/api/health']) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
    }
    expect((await app.inject('/api/health')).json().data).toMatchObject({
      status: 'ok',
      maintenance: 'We’ll be back in a moment',
    })
    await setMaintenance(false)
    advance(2_000)
    expect((await app.inject('/api/customer/studios/nobody')).statusCode).toBe(404)
    expect((await app.inject('/api/health')).json().data).not.toHaveProperty('maintenance')
  })

  it('maintenance can be enabled by an environment variable', async () => {
    const { app } = await setUp({ settings: readSettings({ NODE_ENV: 'test', MAINTENANCE: 'on' }) })
    expect((await app.inject('/api/customer/studios/nobody')).statusCode).toBe(503)
    expect((await app.inject('/api/health')).json()).toEqual({
      data: { status: 'ok', build: '0123456789abcdef', maintenance: 'We’ll be back in a moment' },
    })
  })
})

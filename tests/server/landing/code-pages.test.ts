import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CodeFirstScreen, CodePage } from '#contract/customer/code-page.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createTestSession, manualClock, testDeps } from '#support/server/test-app.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'
import { sampleBuild } from './sample-build.ts'

/** The headers of a browser that navigates to a page. */
const visitHeaders = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

const readCodePage = (html: string): CodePage | undefined => {
  const text = /id="code-page">(.*?)<\/script>/.exec(html)?.[1]
  return text === undefined ? undefined : JSON.parse(text)
}

const readFirstScreen = (html: string): CodeFirstScreen | undefined => {
  const text = /<div id="first-view"><template id="screen">(.*?)<\/template>/.exec(html)?.[1]
  return text === undefined ? undefined : JSON.parse(text)
}

const visit = (app: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...visitHeaders, ...headers }, remoteAddress: '198.51.100.9' })

const countRows = async ({ db }: Deps, table: 'customer_sessions' | 'session_grants'): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe.each(enginesFor(import.meta.filename))('pages of access codes on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: Partial<Deps> = {}) => {
    const deps: Deps = testDeps(database(), { ...manualClock(), ...overrides })
    const jobs = await seedJobs(deps)
    const app = await buildApp(deps, await sampleBuild())
    onTestFinished(() => app.close())
    return { deps, app, jobs }
  }

  it('the page of a subject’s code contains what the API answers for the same session', async () => {
    const { deps, app, jobs } = await setUp()
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    const page = await visit(app, '/riverside/code/ada-lvl')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const { jobId } = jobs.spring
    const codePage = readCodePage(page.body)
    expect(codePage).toMatchObject({ studioSlug: 'riverside', code: 'ADALVL' })
    expect(Object.keys(codePage?.responses ?? {}).toSorted()).toEqual(
      [
        '/api/customer/studios/riverside/jobs?code=ADALVL',
        `/api/customer/jobs/${jobId}/availability`,
        `/api/customer/jobs/${jobId}`,
        '/api/customer/studios/riverside',
        `/api/customer/studios/${jobs.studioId}/jobs/${jobId}/job-preferences`,
        `/api/customer/jobs/${jobId}/carts`,
        `/api/customer/jobs/${jobId}/subjects/${jobs.ada}`,
        `/api/customer/jobs/${jobId}/subjects/${jobs.ada}/images?replacements=1`,
        `/api/customer/jobs/${jobId}/packages?orderMethod=gallery`,
      ].toSorted(),
    )
    const cookie = page.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    for (const [url, { status, body }] of Object.entries(codePage?.responses ?? {})) {
      const answer = await app.inject({ url, headers: { cookie } })
      expect({ url, status: answer.statusCode, body: answer.json() }).toEqual({ url, status, body })
      expect(answer.headers['x-photos']).toBe(codePage?.imagesVersion)
    }
  })

  it('the page of a job’s code has the session’s cookie and is never stored', async () => {
    const { app, jobs } = await setUp()
    const page = await visit(app, '/riverside/code/SPRING')
    expect(page.headers['cache-control']).toBe('private, no-store')
    expect(page.headers['set-cookie']).toMatch(/^fieldproof_session=[\w-]{22}; .*HttpOnly; SameSite=Lax/)
    const { jobId } = jobs.spring
    expect(Object.keys(readCodePage(page.body)?.responses ?? {})).not.toContain(
      `/api/customer/jobs/${jobId}/packages?orderMethod=gallery`,
    )
    const cookie = `${page.cookies[0]?.name}=${page.cookies[0]?.value}`
    expect((await app.inject({ url: `/api/customer/jobs/${jobId}`, headers: { cookie } })).statusCode).toBe(200)
  })

  it('a visit with a session renews it instead of creating another', async () => {
    const { app, deps } = await setUp()
    const { headers } = await createTestSession(deps)
    const page = await visit(app, '/riverside/code/SPRING', headers)
    expect(page.headers['set-cookie']).toContain(headers.cookie)
    expect(await countRows(deps, 'customer_sessions')).toBe(1)
  })

  it('a wrong code is counted as one guess, and the page contains the answer', async () => {
    const { app, deps } = await setUp()
    const page = await visit(app, '/riverside/code/WRONG')
    const url = '/api/customer/studios/riverside/jobs?code=WRONG'
    expect(readCodePage(page.body)?.responses).toEqual({ [url]: { status: 404, body: expect.anything() } })
    expect(page.body).toContain('Riverside Portraits')
    expect(page.headers['cache-control']).toBe('private, no-store')
    const counters = await deps.db.selectFrom('guess_counters').select(['kind', 'key', 'failures']).execute()
    expect(counters).toEqual([{ kind: 'address', key: 'code 198.51.100.9', failures: 1 }])
    expect(await countRows(deps, 'customer_sessions')).toBe(0)
  })

  it('a session whose guesses are slowed gets a page that names the studio and redeems the code itself', async () => {
    const { app, deps } = await setUp()
    const { headers } = await createTestSession(deps)
    for (let guess = 0; guess < 10; guess += 1) await visit(app, `/riverside/code/WRONG${guess}`, headers)
    const page = await visit(app, '/riverside/code/ADALVL', headers)
    expect(readCodePage(page.body)).toBeUndefined()
    expect([page.headers['cache-control'], page.headers['set-cookie']]).toEqual(['no-cache', undefined])
    expect(page.body).toContain('Riverside Portraits<h1>Opening your photos…</h1>')
    expect(page.body).toContain('"slug":"riverside"')
    expect(await countRows(deps, 'session_grants')).toBe(0)
  })

  it.each<[string, Record<string, string>]>([
    ['a link preview', { 'sec-fetch-mode': '', 'sec-fetch-dest': '' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerendered page', { 'sec-purpose': 'prefetch;prerender' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a request of a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ])('%s redeems no code', async (_, headers) => {
    const { app, deps } = await setUp()
    const page = await visit(app, '/riverside/code/ADALVL', headers)
    expect([page.statusCode, readCodePage(page.body)]).toEqual([200, undefined])
    expect(await countRows(deps, 'customer_sessions')).toBe(0)
  })

  it('a HEAD request redeems no code', async () => {
    const { app, deps } = await setUp()
    await app.inject({ method: 'HEAD', url: '/riverside/code/ADALVL', headers: visitHeaders })
    expect(await countRows(deps, 'customer_sessions')).toBe(0)
  })

  it('a former slug or one with capitals redirects to the canonical URL', async () => {
    const { app, deps, jobs } = await setUp()
    await deps.db.insertInto('studio_slugs').values({ slug: 'old-name', studio_id: jobs.studioId }).execute()
    for (const slug of ['old-name', 'Riverside']) {
      const { statusCode, headers } = await visit(app, `/${slug}/code/ada%2Dlvl?ret=%2Fx`)
      expect([statusCode, headers.location]).toEqual([302, '/riverside/code/ada-lvl?ret=%2Fx'])
    }
    expect(await countRows(deps, 'customer_sessions')).toBe(0)
  })

  it('a malformed code and an unknown studio are left to the client', async () => {
    const { app, deps } = await setUp()
    for (const url of ['/riverside/code/A', '/riverside/code/%C3%89T%C3%89', '/nobody/code/SPRING'])
      expect(readCodePage((await visit(app, url)).body)).toBeUndefined()
    expect(await deps.db.selectFrom('guess_counters').selectAll().execute()).toEqual([])
  })

  it('the code is looked up under the address that a trusted proxy names', async () => {
    const trustProxy = readSettings({ NODE_ENV: 'test', DATA_DIR: '/tmp', TRUST_PROXY: '1' })
    const { app, deps } = await setUp({ settings: trustProxy })
    await visit(app, '/riverside/code/WRONG', { 'x-forwarded-for': '198.51.100.7' })
    const counters = await deps.db.selectFrom('guess_counters').select('key').execute()
    expect(counters).toEqual([{ key: 'code 198.51.100.7' }])
  })

  it('the page of a subject’s code shows the subject’s first image, name and job before any script runs', async () => {
    const { app, deps, jobs } = await setUp()
    await given(deps).image(jobs.spring, { groupId: jobs.grade, width: 300, height: 200 })
    const imageId = await given(deps).image(jobs.spring, { subjectId: jobs.ada, width: 800, height: 1000 })
    await deps.db.updateTable('jobs').set({ name: 'Spring & Co' }).where('id', '=', jobs.spring.jobId).execute()
    const { body } = await visit(app, '/riverside/code/ADALVL')
    expect(body).toContain('<html style="--studio-accent-light:#1f6f78"')
    expect(readFirstScreen(body)).toMatchObject({
      studio: { slug: 'riverside', name: 'Riverside Portraits', logo: null },
      jobName: 'Spring & Co',
      subjectName: 'Ada Lovelace',
      image: { id: imageId, width: 800, height: 1000 },
    })
  })

  it('the page of a subject’s code shows the packages that the API lists for the same session', async () => {
    const { app, deps, jobs } = await setUp()
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    const { body } = await visit(app, '/riverside/code/ADALVL')
    const dataOf = (path: string) => Object(readCodePage(body)?.responses[path]?.body).data
    const jobPath = `/api/customer/jobs/${jobs.spring.jobId}`
    expect(readFirstScreen(body)?.offer).toEqual({
      studio: dataOf('/api/customer/studios/riverside'),
      job: dataOf(jobPath),
      availability: dataOf(`${jobPath}/availability`),
      preferences: dataOf(`/api/customer/studios/${jobs.studioId}/jobs/${jobs.spring.jobId}/job-preferences`),
      subject: dataOf(`${jobPath}/subjects/${jobs.ada}`),
      images: dataOf(`${jobPath}/subjects/${jobs.ada}/images?replacements=1`),
      packages: dataOf(`${jobPath}/packages?orderMethod=gallery`),
      orderMethod: 'gallery',
    })
  })

  it('the page of a code that leads to another address shows no packages', async () => {
    const { app, deps, jobs } = await setUp()
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    const { body } = await visit(app, `/riverside/code/ADALVL?ret=%2Friverside%2F${jobs.spring.jobId}%2Fcart`)
    expect(readFirstScreen(body)).toMatchObject({ subjectName: 'Ada Lovelace', offer: null })
  })

  it.each([
    ['before midnight at the studio', '2027-04-11T04:59:00Z', '2027-04-10'],
    ['after midnight at the studio', '2027-04-11T05:00:00Z', '2027-04-11'],
  ])('the page of a code has the day of the studio %s', async (_, now, today) => {
    const { app, deps, jobs } = await setUp({ clock: () => new Date(now) })
    await deps.db.updateTable('studios').set({ time_zone: 'America/Chicago' }).where('id', '=', jobs.studioId).execute()
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    expect(readFirstScreen((await visit(app, '/riverside/code/ADALVL')).body)?.today).toBe(today)
  })

  it('prepay packages are shown unless the app asks for the job’s fields first', async () => {
    const { app, deps, jobs } = await setUp()
    const { studioId, jobId } = jobs.spring
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    await deps.db
      .updateTable('jobs')
      .set({ gallery_enabled: false, prepay_enabled: true })
      .where('id', '=', jobId)
      .execute()
    const visitAda = async () => readFirstScreen((await visit(app, '/riverside/code/ADALVL')).body)
    expect((await visitAda())?.offer).toMatchObject({ orderMethod: 'prepay', packages: expect.any(Array) })
    await deps.db
      .insertInto('job_fields')
      .values({ studio_id: studioId, job_id: jobId, name: 'Coach', label: 'Coach' })
      .execute()
    expect(await visitAda()).toMatchObject({ subjectName: 'Ada Lovelace', offer: null })
  })

  it('a page without an image has the studio’s name and accent, and what the code opens, before any script runs', async () => {
    const { app, deps, jobs } = await setUp()
    await deps.db.updateTable('jobs').set({ name: 'Spring & Co' }).where('id', '=', jobs.spring.jobId).execute()
    const { body: ofJob } = await visit(app, '/riverside/code/SPRING')
    expect(ofJob).toContain('Riverside Portraits<h1>Opening Spring &amp; Co…</h1>')
    const { body: ofSubject } = await visit(app, '/riverside/code/ADALVL')
    expect(ofSubject).toContain('Riverside Portraits<h1>Opening Ada’s photos…</h1>')
    const { body: ofUnknown } = await visit(app, '/riverside/code/WRONG1')
    for (const body of [ofJob, ofSubject, ofUnknown])
      expect(body).toContain('<html style="--studio-accent-light:#1f6f78"')
  })

  it('a name cannot end the data of the page', async () => {
    const { app, deps, jobs } = await setUp()
    const name = '</script><script>alert(1)</script>'
    await deps.db.updateTable('subjects').set({ first_name: name }).where('id', '=', jobs.ada).execute()
    const { body } = await visit(app, '/riverside/code/ADALVL')
    expect(body).not.toContain('<script>alert')
    const { jobId } = jobs.spring
    const url = `/api/customer/jobs/${jobId}/subjects/${jobs.ada}`
    expect(readCodePage(body)?.responses[url]?.body).toMatchObject({ data: { firstName: name } })
  })
})

import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CodePage } from '#contract/customer/code-page.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { maxWaitMs } from '#server/landing/code-page.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testDeps } from '#support/server/test-app.ts'
import { seedJobs } from '../discovery/job-fixtures.ts'
import { sampleBuild } from './sample-build.ts'

const codeUrl = '/api/customer/studios/riverside/jobs?code=ADALVL'
const never = new Promise<never>(() => {})

const readCodePage = (html: string): CodePage | undefined => {
  const text = /id="code-page">(.*?)<\/script>/.exec(html)?.[1]
  return text === undefined ? undefined : JSON.parse(text)
}

const visitOf = (url: string): InjectOptions => ({
  url,
  headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  remoteAddress: '198.51.100.9',
})

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** Replaces the responses to the page's API calls. Returns a function that visits the page. */
const interceptCalls = (app: FastifyInstance, intercept: (url: string, answer: () => Promise<Answer>) => unknown) => {
  const inject = app.inject.bind(app)
  const answer = (options: InjectOptions) => intercept(String(options.url), async () => await inject(options))
  vi.spyOn(app, 'inject').mockImplementation(answer as typeof app.inject) // the page's calls pass options only
  return async (url = '/riverside/code/ADALVL') => await inject(visitOf(url))
}

/** A database on which every query runs `execute`. */
const dbWith = (execute: () => Promise<never>): Deps['db'] => {
  const query: object = new Proxy(() => {}, {
    get: (_, name) => (String(name).startsWith('execute') ? execute : query),
    apply: () => query,
  })
  return query as Deps['db'] // only queries are used
}

const expectShell = ({ statusCode, headers, body }: Answer) => {
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(headers['content-type']).toContain('text/html')
  expect(readCodePage(body)).toBeUndefined()
}

afterEach(() => void vi.useRealTimers())

describe.each(enginesFor(import.meta.filename))('pages of access codes after failures on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps: Deps = testDeps(database(), manualClock())
    const jobs = await seedJobs(deps)
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    const imagesUrl = `/api/customer/jobs/${jobs.spring.jobId}/subjects/${jobs.ada}/images?replacements=1`
    const app = await buildApp(deps, await sampleBuild())
    onTestFinished(() => app.close())
    return { deps, app, jobs, imagesUrl }
  }

  const useFakeTimeouts = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  it('a database error gives the page without content', async () => {
    const { deps, app } = await setUp()
    Object.assign(deps, { db: dbWith(() => Promise.reject(new Error('the database is down'))) })
    expectShell(await app.inject(visitOf('/riverside/code/ADALVL')))
  })

  it('a database that does not answer gives the page without content in time', async () => {
    const { deps, app } = await setUp()
    useFakeTimeouts()
    Object.assign(deps, { db: dbWith(() => never) })
    const page = app.inject(visitOf('/riverside/code/ADALVL'))
    await new Promise(setImmediate)
    vi.advanceTimersByTime(maxWaitMs)
    expectShell(await page)
  })

  it('a redemption that fails gives the page without content', async () => {
    const { app } = await setUp()
    const visit = interceptCalls(app, () => Promise.reject(new Error('no response')))
    expectShell(await visit())
  })

  it('a redemption that takes too long is left to the client', async () => {
    const { app } = await setUp()
    useFakeTimeouts()
    const requested = Promise.withResolvers<void>()
    const visit = interceptCalls(app, () => {
      requested.resolve()
      return never
    })
    const page = visit()
    await requested.promise
    vi.advanceTimersByTime(maxWaitMs)
    expectShell(await page)
    expect((await page).body).toContain('Riverside Portraits')
  })

  it('data that takes too long is left to the client, which does not redeem the code again', async () => {
    const { app, imagesUrl } = await setUp()
    useFakeTimeouts()
    const answered = new Set<string>()
    const allButImages = Promise.withResolvers<void>()
    const visit = interceptCalls(app, async (url, answer) => {
      if (url === imagesUrl) return await never
      const response = await answer()
      if (answered.add(url).size === 8) allButImages.resolve()
      return response
    })
    const page = visit()
    await allButImages.promise
    await new Promise(setImmediate)
    vi.advanceTimersByTime(maxWaitMs)
    const { headers, body } = await page
    expect(headers['set-cookie']).toMatch(/^fieldproof_session=/)
    const urls = Object.keys(readCodePage(body)?.responses ?? {})
    expect(urls).toContain(codeUrl)
    expect(urls).toHaveLength(8)
    expect(urls).not.toContain(imagesUrl)
  })

  it('data that fails is left to the client', async () => {
    const { app, imagesUrl } = await setUp()
    const visit = interceptCalls(app, async (url, answer) =>
      url === imagesUrl ? Promise.reject(new Error('no response')) : await answer(),
    )
    const { headers, body } = await visit()
    expect(headers['set-cookie']).toMatch(/^fieldproof_session=/)
    expect(Object.keys(readCodePage(body)?.responses ?? {})).toHaveLength(8)
  })

  it('the version of the images is that of their list, though another call answers later', async () => {
    const { app, imagesUrl } = await setUp()
    const visit = interceptCalls(app, async (url, answer) => {
      const response = await answer()
      const headers = { ...response.headers, 'x-photos': url === imagesUrl ? 'v-list' : `v-${url}` }
      return Object.assign(Object.create(response), { headers })
    })
    expect(readCodePage((await visit()).body)?.imagesVersion).toBe('v-list')
  })

  it('without a list of images, the version is the first one after the redemption', async () => {
    const { app } = await setUp()
    let count = 0
    const visit = interceptCalls(app, async (url, answer) => {
      const response = await answer()
      if (url.includes('?code=')) return response
      count += 1
      return Object.assign(Object.create(response), { headers: { ...response.headers, 'x-photos': `v${count}` } })
    })
    expect(readCodePage((await visit('/riverside/code/SPRING')).body)?.imagesVersion).toBe('v1')
  })

  /** Visits the page of a subject's code in a build whose first view is rendered by `render`. */
  const visitWithRenderer = async (render: string) => {
    const error = vi.fn<Deps['log']['error']>()
    const deps: Deps = testDeps(database(), { ...manualClock(), log: { ...silentLog, error } })
    const jobs = await seedJobs(deps)
    await given(deps).image(jobs.spring, { subjectId: jobs.ada })
    const build = await sampleBuild({
      'templates/code/code-first-view.js': `export const renderFirstScreen = (screen) => ${render}\n`,
    })
    const app = await buildApp(deps, build)
    onTestFinished(() => app.close())
    const { headers, body } = await app.inject(visitOf('/riverside/code/ADALVL'))
    expect(headers['set-cookie']).toMatch(/^fieldproof_session=/)
    expect(headers['cache-control']).toBe('private, no-store')
    expect(Object.keys(readCodePage(body)?.responses ?? {})).toHaveLength(9)
    return { body, errors: error.mock.calls.map(([, message]) => message) }
  }

  it('packages that cannot be rendered are left to the client', async () => {
    const { body, errors } = await visitWithRenderer(
      "screen.offer ? screen.fails() : '<h1>' + screen.subjectName + '</h1>'",
    )
    expect(body).toContain('<div id="first-view"><h1>Ada Lovelace</h1></div>')
    expect(errors).toEqual(['the first view of a code could not be rendered'])
  })

  it('a first view that cannot be rendered gives the page of a subject without an image', async () => {
    const { body, errors } = await visitWithRenderer('screen.fails()')
    expect(body).toContain('Riverside Portraits<h1>Opening Ada’s photos…</h1>')
    expect(errors).toHaveLength(2)
  })

  it('a connection that is closed redeems no code', async () => {
    const { app, deps } = await setUp()
    app.addHook('onRequest', async ({ raw }) => {
      Object.defineProperty(raw.socket, 'remoteAddress', { value: undefined })
    })
    expectShell(await app.inject(visitOf('/riverside/code/ADALVL')))
    expect(await deps.db.selectFrom('session_grants').selectAll().execute()).toEqual([])
  })
})

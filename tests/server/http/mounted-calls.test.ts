import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'
import { sampleBuild } from '../landing/sample-build.ts'

const calls: [string, AnyCall][] = Object.entries(allCalls)
const by = (who: AnyCall['who']) => calls.filter(([, call]) => call.who === who)

type Place = { studioId: number; jobId: number }

/** Bodies for calls that need one: access is checked before the body. */
const bodies: Record<string, object> = {
  [allCalls.priceFewer.path]: { packages: [{ lineId: 1, quantity: 0 }] },
  [allCalls.priceMore.path]: { packages: [{ lineId: 1, quantity: 2 }] },
  [allCalls.orderMore.path]: {
    packages: [{ lineId: 1, quantity: 2 }],
    attemptId: '00000000-0000-4000-8000-000000000001',
    paymentToken: null,
    chargeCents: 0,
  },
  [allCalls.patchPrintedWords.path]: { nameToPrint: 'Ada', yearToPrint: '2027' },
  [allCalls.orderFewer.path]: { packages: [{ lineId: 1, quantity: 0 }], backCents: 0 },
}

const ask = (
  app: FastifyInstance,
  call: AnyCall,
  { studioId, jobId }: Place,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> => {
  const key = '00000000-0000-4000-8000-000000000002'
  const ids = { studioId: String(studioId), jobId: String(jobId) }
  const values: Record<string, string> = { ...ids, slug: 'riverside', key, checkoutId: key, attemptId: key }
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1')
  const payload = call.method === 'GET' || call.method === 'DELETE' ? {} : { payload: bodies[call.path] ?? {} }
  return app.inject({ method: call.method, url, headers, ...payload })
}

const giveJob = async ({ db }: Deps): Promise<Place> => {
  const studio = { slug: 'riverside', name: 'Riverside Portraits' }
  const { id: studioId } = await db.insertInto('studios').values(studio).returning('id').executeTakeFirstOrThrow()
  const job = { studio_id: studioId, name: 'Spring', published_at: new Date('2027-01-01T00:00:00Z') }
  const { id: jobId } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('job_links').values({ job_id: jobId, studio_id: studioId }).execute()
  return { studioId, jobId }
}

/** Routes besides the calls. They return no data, so the contract does not name them. */
const pagesAndFiles = [
  'GET /',
  'GET /:slug',
  'GET /api/customer/studios/:slug/logo/:hash',
  'GET /api/customer/jobs/:jobId/orders/:orderId/dates.ics',
  'GET /api/customer/downloads/:linkId/files/:fileId',
  'GET /api/customer/downloads/:linkId/thumbs/:fileId',
  'GET /api/customer/downloads/:linkId/zip',
  // For staff, signed for a quarter of an hour.
  'GET /api/packets/:studioId/:packetId/:kind',
  'GET /photos/:grantId/:imageId/:file',
  // For staff, signed for a quarter of an hour.
  'GET /photos/staff/:studioId/:imageId/:file',
  // Bytes of uploads, by tus.
  'PATCH /api/studioadmin/studios/:studioId/jobs/:jobId/upload-bytes/:key',
  // The payment provider's webhook.
  'POST /api/payment-events',
  'GET /api/stripe-return',
  'GET /assets/:name',
  // The test build's files at the top.
  'GET /app.html',
  'GET /favicon.svg',
  'GET /sw.js',
]

/** Every route of a server with its built pages; HEAD is added by itself for GET. */
const waysIn = async (deps: Deps): Promise<string[]> => {
  const found: string[] = []
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance } // the documented message of the channel
    fastify.addHook('onRoute', ({ method, url }) => {
      found.push(...[method].flat().map((one) => `${one} ${url}`))
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    await (await buildApp(deps, await sampleBuild())).close()
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
  return found.filter((way) => !way.startsWith('HEAD '))
}

const said = (answer: LightMyRequestResponse) => `${answer.statusCode} ${answer.json().problem}`

describe('the contract', () => {
  it('each call is named once', () => {
    const bells = calls.map(([, call]) => `${call.method} ${call.path}`)
    expect(bells).toEqual([...new Set(bells)])
  })
})

describe.each(enginesFor(import.meta.filename))('every call on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = async () => {
    const deps = testDeps(database())
    return { deps, app: await testApp(deps), place: await giveJob(deps) }
  }

  it('every call is mounted', async () => {
    const { app } = await begin()
    // Routes are stored without the optional trailing slash.
    const missing = calls.filter(([, { method, path }]) => !app.hasRoute({ method, url: path.replace(/\/$/, '') }))
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it('nothing else is mounted but pages and files', async () => {
    const named = calls.map(([, { method, path }]) => `${method} ${path}`)
    expect((await waysIn(testDeps(database()))).toSorted()).toEqual([...named, ...pagesAndFiles].toSorted())
  })

  it('each call requires its session or sign-in', async () => {
    const { app, place } = await begin()
    for (const [name, call] of calls) {
      if (call.who === 'anyone') continue
      const expected = call.who === 'session' || call.who === 'job' ? '401 session-unknown' : '401 not-signed-in'
      expect([name, said(await ask(app, call, place))]).toEqual([name, expected])
    }
  })

  it('job calls are refused to a session without the code, and for an unknown job', async () => {
    const { app, deps, place } = await begin()
    const { headers } = await createTestSession(deps)
    for (const [name, call] of by('job')) {
      expect([name, said(await ask(app, call, place, headers))]).toEqual([name, '403 code-needed'])
      const nowhere = { ...place, jobId: 999_999 }
      expect([name, said(await ask(app, call, nowhere, headers))]).toEqual([name, '404 not-found'])
    }
  })

  it('session calls show a stranger nothing', async () => {
    const { app, deps, place } = await begin()
    const { headers } = await createTestSession(deps)
    for (const [name, call] of by('session')) {
      // It only checks URLs that the request contains.
      if (name === 'checkImages') continue
      const answer = await ask(app, call, place, headers)
      expect([name, answer.statusCode]).toEqual([name, expect.toBeOneOf([403, 404])])
    }
  })

  it('unknown fields are refused anywhere in a request', async () => {
    const { app, place } = await begin()
    for (const [name, call] of by('anyone')) {
      const values: Record<string, string> = { slug: 'riverside', jobId: String(place.jobId), linkId: 'A'.repeat(22) }
      const url = call.path.replace(/:(\w+)/g, (_, part: string) => values[part] ?? '1')
      const answer = await app.inject({ method: call.method, url, query: { nobodyKnowsThis: '1' } })
      expect([name, answer.statusCode, answer.json().fields?.nobodyKnowsThis]).toEqual([
        name,
        400,
        ['is not known here'],
      ])
    }
  })
})

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createTestSession, testApp, testDeps } from '#support/server/test-app.ts'
import { sampleBuild } from '../landing/sample-build.ts'

const calls: [string, AnyCall][] = Object.entries(allCalls)
const callsFor = (who: AnyCall['who']) => calls.filter(([, call]) => call.who === who)

type JobKey = { studioId: number; jobId: number }

/** Valid bodies for calls that check access to the order only after the body is parsed. */
const bodies: Record<string, object> = {
  [allCalls.quoteReduction.path]: { packages: [{ lineId: 1, quantity: 0 }] },
  [allCalls.quoteIncrease.path]: { packages: [{ lineId: 1, quantity: 2 }] },
  [allCalls.increaseOrder.path]: {
    packages: [{ lineId: 1, quantity: 2 }],
    attemptId: '00000000-0000-4000-8000-000000000001',
    paymentToken: null,
    chargeCents: 0,
  },
  [allCalls.patchPrintedTexts.path]: { nameToPrint: 'Ada', yearToPrint: '2027' },
  [allCalls.reduceOrder.path]: { packages: [{ lineId: 1, quantity: 0 }], refundCents: 0 },
}

const request = (
  app: FastifyInstance,
  call: AnyCall,
  { studioId, jobId }: JobKey,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> => {
  const key = '00000000-0000-4000-8000-000000000002'
  const ids = { studioId: String(studioId), jobId: String(jobId) }
  const values: Record<string, string> = {
    ...ids,
    ...{ slug: 'riverside', key, checkoutId: key, attemptId: key, report: 'refunds' },
  }
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1')
  const payload = call.method === 'GET' || call.method === 'DELETE' ? {} : { payload: bodies[call.path] ?? {} }
  return app.inject({ method: call.method, url, headers, ...payload })
}

const addJob = async (deps: Deps): Promise<JobKey> => {
  const { studio, job } = given(deps)
  return await job(await studio())
}

/** Routes that are not in the contract, because they return pages and files instead of data. */
const pagesAndFiles = [
  'GET /',
  'GET /:slug',
  'GET /:slug/code/:code',
  'GET /api/customer/studios/:slug/logo/:hash',
  'GET /api/products/images/:imageId',
  'GET /api/customer/jobs/:jobId/orders/:orderId/dates.ics',
  'GET /api/customer/jobs/:jobId/orders/:orderId/documents/:documentName',
  'GET /api/customer/downloads/:linkId/files/:fileId',
  'GET /api/customer/downloads/:linkId/thumbs/:fileId',
  'GET /api/customer/downloads/:linkId/zip',
  // For staff, with a signature that is valid for fifteen minutes.
  'GET /api/packets/:studioId/:packetId/:kind',
  // For staff, with a signature that is valid for fifteen minutes.
  'GET /api/order-documents/:studioId/:orderId/:documentName',
  // For staff, with a signature that is valid for fifteen minutes.
  ...['GET /api/openapi.json', 'GET /api/reference', 'GET /api/reference/:operationId', 'GET /api/reference.css'],
  'GET /api/image-exports/:studioId/:exportId/zip',
  'GET /api/studio-exports/:studioId/zip',
  // For staff who see the report, with a signature that is valid for fifteen minutes.
  'GET /api/report-files/:id',
  'GET /photos/:grantId/:imageId/:file',
  // For staff, with a signature that is valid for fifteen minutes.
  'GET /photos/staff/:studioId/:imageId/:file',
  // Bytes of uploads, sent by tus.
  'PATCH /api/studioadmin/studios/:studioId/jobs/:jobId/upload-bytes/:key',
  // The payment provider's webhook.
  'POST /api/payment-events',
  'GET /api/payment-return',
  // The images of a share.
  'GET /photos/shared/:slug/:token/:imageId/:file',
  // Mail programs that unsubscribe by RFC 8058 post a form.
  'POST /:slug/unsubscribe/:token',
  'GET /assets/:name',
  // Files of the test build outside of assets.
  'GET /app.html',
  'GET /favicon.svg',
  'GET /sw.js',
]

/** Returns every route of a server with built pages, except the HEAD routes that Fastify adds to GET. */
const listRoutes = async (deps: Deps): Promise<string[]> => {
  const routes: string[] = []
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance } // the documented message of the channel
    fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((verb) => `${verb} ${url}`))
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    await (await buildApp(deps, await sampleBuild())).close()
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
  return routes.filter((route) => !route.startsWith('HEAD '))
}

const problemSummary = (answer: LightMyRequestResponse) => `${answer.statusCode} ${answer.json().problem}`

describe('the contract', () => {
  it('no two calls have the same method and path', () => {
    const routes = calls.map(([, call]) => `${call.method} ${call.path}`)
    expect(routes).toEqual([...new Set(routes)])
  })
})

describe.each(enginesFor(import.meta.filename))('every call on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const deps = testDeps(database())
    return { deps, app: await testApp(deps), jobKey: await addJob(deps) }
  }

  it('every call is mounted', async () => {
    const { app } = await setUp()
    // Routes are stored without the optional trailing slash.
    const missing = calls.filter(([, { method, path }]) => !app.hasRoute({ method, url: path.replace(/\/$/, '') }))
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it('the only other routes are pages and files', async () => {
    const callRoutes = calls.map(([, { method, path }]) => `${method} ${path}`)
    expect((await listRoutes(testDeps(database()))).toSorted()).toEqual([...callRoutes, ...pagesAndFiles].toSorted())
  })

  it('each call requires its session or sign-in', async () => {
    const { app, jobKey } = await setUp()
    for (const [name, call] of calls) {
      if (call.who === 'anyone') continue
      const expected = call.who === 'session' || call.who === 'job' ? '401 session-unknown' : '401 not-signed-in'
      expect([name, problemSummary(await request(app, call, jobKey))]).toEqual([name, expected])
    }
  })

  it('job calls are refused to a session without the code, and for an unknown job', async () => {
    const { app, deps, jobKey } = await setUp()
    const { headers } = await createTestSession(deps)
    for (const [name, call] of callsFor('job')) {
      expect([name, problemSummary(await request(app, call, jobKey, headers))]).toEqual([name, '403 code-needed'])
      const unknownJob = { ...jobKey, jobId: 999_999 }
      expect([name, problemSummary(await request(app, call, unknownJob, headers))]).toEqual([name, '404 not-found'])
    }
  })

  it('session calls show nothing to a session without grants', async () => {
    const { app, deps, jobKey } = await setUp()
    const { headers } = await createTestSession(deps)
    for (const [name, call] of callsFor('session')) {
      // This call only checks URLs that the request contains.
      if (name === 'checkImages') continue
      const answer = await request(app, call, jobKey, headers)
      expect([name, answer.statusCode]).toEqual([name, expect.toBeOneOf([403, 404])])
    }
  })

  it('unknown fields are refused anywhere in a request', async () => {
    const { app, jobKey } = await setUp()
    for (const [name, call] of callsFor('anyone')) {
      const values: Record<string, string> = { slug: 'riverside', jobId: String(jobKey.jobId), linkId: 'A'.repeat(22) }
      const url = call.path.replace(/:(\w+)/g, (_, param: string) => values[param] ?? '1')
      const answer = await app.inject({ method: call.method, url, query: { nobodyKnowsThis: '1' } })
      expect([name, answer.statusCode, answer.json().fields?.nobodyKnowsThis]).toEqual([
        name,
        400,
        ['is not known here'],
      ])
    }
  })
})

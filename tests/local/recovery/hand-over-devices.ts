import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { FastifyInstance } from 'fastify'
import { acceptHandOver, type HandOverDependencies } from '#client/customer/transfer/hand-over-acceptance.ts'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { confirmSubject, getSubject } from '#contract/customer/discovery-calls.ts'
import { postHandOver } from '#contract/customer/hand-over.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'

import type { OrderMethod, Package } from '#domain/catalogue/catalogue.ts'
import { readCart } from '#local/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { recovery } from '#local/recovery/recovery.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { pullCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { createRequest, type RequestFunction, type Transport, unreachable } from '#local/transport/request.ts'
import { createSender } from '#local/transport/sender.ts'
import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { addLine } from '#support/device/add-line.ts'
import { given } from '#support/server/given.ts'
import { browserClient, testApp, testDeps } from '#support/server/test-app.ts'
import {
  type CartFixtures,
  completeLineContent,
  createCartFixtures,
  onePrint,
} from '#tests/server/carts/cart-fixtures.ts'

/**
 * How a connection is cut. `before`: the request never arrives; `after`: it is processed, but no response arrives;
 * `midway`: the headers arrive, with the cookie, but not the body.
 */
export type ConnectionCut = 'before' | 'after' | 'midway' | 'none'

/** A browser whose requests are cut as the entries of `cuts` say, in turn. `sentRequests`: all requests so far. */
const browserWithCuts = (app: FastifyInstance) => {
  const cuts: ConnectionCut[] = []
  const sentRequests: string[] = []
  const browser = browserClient(app)
  const transport: Transport = async (request) => {
    const cut = cuts.shift() ?? 'none'
    sentRequests.push(`${request.method} ${request.url}`)
    if (cut === 'before') throw new Error('cut before')
    const cookie = browser.cookie()
    const answer = await browser.carry(request)
    if (cut === 'after') browser.restoreCookie(cookie)
    if (cut !== 'none') throw new Error(`cut ${cut}`)
    return answer
  }
  return { cuts, sentRequests, ask: createRequest(transport), cookie: browser.cookie }
}

type TestSite = { app: FastifyInstance; deps: Deps; fixtures: CartFixtures; packageVersion: Package }

/** The content of a line: a rotated crop of the image, and a text that the parent typed. */
const contentFor = ({ packageVersion, fixtures }: TestSite) => {
  const { textNodes = [], imageNodes = [] } = completeLineContent(packageVersion, fixtures.adaImageId)
  const cropDimensions = { width: 50, height: 50, cropX: 20, cropY: 10, xMid: 45, yMid: 35 }
  return {
    ...{ greenScreenBackgroundId: null, dataFields: [] },
    textNodes: textNodes.map((node) => ({ ...node, value: 'Ada, second grade' })),
    imageNodes: imageNodes.map((node) => ({
      ...{ ...node, cropDimensions, rotation: 90 },
      frontendCropDimensions: { x: -12.5, y: 3, zoom: 2 },
    })),
  }
}

/** A phone with its own browser and database. */
const openPhone = (site: TestSite) => {
  const { app, deps, fixtures, packageVersion } = site
  const { jobId, studioId, slug, adaId } = fixtures
  const { cuts, sentRequests, ask, cookie } = browserWithCuts(app)
  const db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  const time = { now: 0 }
  const clockAndRandom = { clock: () => time.now, random: () => 0, timers: { after: () => () => {} } }
  const sender = createSender({
    db,
    ask,
    locks: tabLocks,
    stamp: deviceStamp,
    loadRecovery: async () => recovery,
    ...clockAndRandom,
  })
  const drain = async () => {
    for (let round = 0; round < 5; round += 1) {
      await sender.drain()
      time.now += 60_000
    }
  }
  const add = async (orderMethod: OrderMethod = 'gallery', personId: string | null = null) => {
    const snapshot = {
      package: packageVersion,
      subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
      images: [{ imageId: fixtures.adaImageId, width: 2400, height: 3000, thumbnailUrl: '/photos/g/1/thumb-a' }],
    }
    const emptyContent = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }
    const result = await addLine(db, deviceStamp, {
      ...{ jobId, orderMethod, subjectId: personId ? null : adaId, personId, snapshot, quantity: 2 },
      content: personId ? emptyContent : contentFor(site),
    })
    if (!result.ok) throw new Error(result.message)
  }
  const enter = async () => {
    await ask(redeemCode, { params: { slug }, query: { code: 'SPRING' } })
    await saveAccessCode(db, { studioSlug: slug, studioId, jobId, code: 'SPRING' })
    const ada = { jobId, subjectId: adaId }
    const proof = createSearchToken(deps, ada)
    await ask(confirmSubject, { params: ada, body: { subjectId: adaId, proof } })
    await saveConfirmedSubject(db, { ...ada, proof })
  }
  const requestHandOver = (orderMethod: OrderMethod = 'gallery') =>
    ask(postHandOver, { params: { jobId }, body: { orderMethod } })
  const createHandOver = async (orderMethod: OrderMethod = 'gallery') => {
    const answer = await requestHandOver(orderMethod)
    if (!answer.ok) throw new Error(answer.problem)
    return answer.data.address.split('#')[1] ?? ''
  }
  const pullBy = (requestFunction: RequestFunction): HandOverDependencies['pull'] => {
    return async (job) => {
      const answer = await requestFunction(listCarts, { params: { jobId: job.jobId } })
      if (!answer.ok) return answer
      const stale = async () => await staleOrderMethods(db, { jobId, live: answer.data })
      const keys = (await stale()).map((orderMethod) => ({ jobId, orderMethod }))
      await pullCarts(db, requestFunction, keys)
      return (await stale()).length > 0 ? unreachable : null
    }
  }
  const accept = (token: string | null, overrides: Partial<HandOverDependencies> = {}) =>
    acceptHandOver(
      {
        db,
        ask,
        endPendingSession: async () => null,
        sessionChanged: async () => {},
        stamp: deviceStamp,
        locks: tabLocks,
        pull: pullBy(ask),
        ...overrides,
      },
      token,
    )
  const view = (orderMethod: OrderMethod = 'gallery') => readCart(db, jobId, orderMethod)
  const seesAda = async () => (await ask(getSubject, { params: { jobId, subjectId: adaId } })).ok
  return {
    ...{ ask, db, cuts, sentRequests, drain, add, enter },
    ...{ requestHandOver, createHandOver, accept, view, seesAda, cookie },
  }
}

/** A server, a phone that has a cart there, and further phones. */
export const openHandOverDevices = async (database: Database) => {
  const deps = testDeps(database)
  const app = await testApp(deps)
  const fixtures = await createCartFixtures(deps)
  const { jobId } = fixtures
  await given(deps).code(fixtures, 'SPRING')
  const packageVersion = await fixtures.offer(onePrint(25))
  const phone = () => openPhone({ app, deps, fixtures, packageVersion })
  const first = phone()
  await first.enter()
  await first.add()
  await first.drain()
  return { deps, jobId, first, second: phone(), phone }
}

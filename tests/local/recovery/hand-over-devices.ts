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
import { browserClient, testApp, testDeps } from '#support/server/test-app.ts'
import {
  type CartFixtures,
  completeLineContent,
  createCartFixtures,
  onePrint,
} from '../../server/carts/cart-fixtures.ts'

/**
 * What becomes of a request: it never arrives; all is done and nothing of the answer comes; or its head comes, with the cookie, and its
 * body does not.
 */
export type ConnectionCut = 'before' | 'after' | 'midway' | 'none'

/** A browser on a line that is cut as `cuts` says, one request after the other; `asked` is every request that left. */
const browserOnLine = (app: FastifyInstance) => {
  const cuts: ConnectionCut[] = []
  const asked: string[] = []
  const browser = browserClient(app)
  const carry: Transport = async (letter) => {
    const cut = cuts.shift() ?? 'none'
    asked.push(`${letter.method} ${letter.url}`)
    if (cut === 'before') throw new Error('cut before')
    const cookie = browser.cookie()
    const answer = await browser.carry(letter)
    if (cut === 'after') browser.goBackTo(cookie)
    if (cut !== 'none') throw new Error(`cut ${cut}`)
    return answer
  }
  return { cuts, asked, ask: createRequest(carry), cookie: browser.cookie }
}

type TestSite = { app: FastifyInstance; deps: Deps; shop: CartFixtures; made: Package }

/** What a line is filled with: a cut-out of the picture, turned, and words of the parent's own. */
const contentFor = ({ made, shop }: TestSite) => {
  const { textNodes = [], imageNodes = [] } = completeLineContent(made, shop.adaImageId)
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

/** A phone with a browser and a database of its own. */
const openPhone = (place: TestSite) => {
  const { app, deps, shop, made } = place
  const { jobId, studioId, slug, adaId } = shop
  const { cuts, asked, ask, cookie } = browserOnLine(app)
  const db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
  const time = { now: 0 }
  const parts = { clock: () => time.now, random: () => 0, timers: { after: () => () => {} } }
  const sender = createSender({
    db,
    ask,
    locks: tabLocks,
    stamp: deviceStamp,
    loadRecovery: async () => recovery,
    ...parts,
  })
  const drain = async () => {
    for (let round = 0; round < 5; round += 1) {
      await sender.drain()
      time.now += 60_000
    }
  }
  const add = async (orderMethod: OrderMethod = 'gallery', personId: string | null = null) => {
    const snapshot = {
      package: made,
      subject: { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null },
      images: [{ imageId: shop.adaImageId, width: 2400, height: 3000, thumbnailUrl: '/photos/g/1/thumb-a' }],
    }
    const empty = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }
    const added = await addLine(db, deviceStamp, {
      ...{ jobId, orderMethod, subjectId: personId ? null : adaId, personId, snapshot, quantity: 2 },
      content: personId ? empty : contentFor(place),
    })
    if (!added.ok) throw new Error(added.message)
  }
  const enter = async () => {
    await ask(redeemCode, { params: { slug }, query: { code: 'SPRING' } })
    await saveAccessCode(db, { studioSlug: slug, studioId, jobId, code: 'SPRING' })
    const ada = { jobId, subjectId: adaId }
    const proof = createSearchToken(deps, ada)
    await ask(confirmSubject, { params: ada, body: { subjectId: adaId, proof } })
    await saveConfirmedSubject(db, { ...ada, proof })
  }
  const tryToMake = (orderMethod: OrderMethod = 'gallery') =>
    ask(postHandOver, { params: { jobId }, body: { orderMethod } })
  const make = async (orderMethod: OrderMethod = 'gallery') => {
    const answer = await tryToMake(orderMethod)
    if (!answer.ok) throw new Error(answer.problem)
    return answer.data.address.split('#')[1] ?? ''
  }
  const pullBy = (by: RequestFunction): HandOverDependencies['pull'] => {
    return async (of) => {
      const answer = await by(listCarts, { params: { jobId: of.jobId } })
      if (!answer.ok) return answer
      const stale = async () => await staleOrderMethods(db, { jobId, live: answer.data })
      const keys = (await stale()).map((orderMethod) => ({ jobId, orderMethod }))
      await pullCarts(db, by, keys)
      return (await stale()).length > 0 ? unreachable : null
    }
  }
  const take = (token: string | null, own: Partial<HandOverDependencies> = {}) =>
    acceptHandOver(
      {
        db,
        ask,
        settle: async () => null,
        sessionChanged: async () => {},
        stamp: deviceStamp,
        locks: tabLocks,
        pull: pullBy(ask),
        ...own,
      },
      token,
    )
  const view = (orderMethod: OrderMethod = 'gallery') => readCart(db, jobId, orderMethod)
  const seesAda = async () => (await ask(getSubject, { params: { jobId, subjectId: adaId } })).ok
  return { ask, db, cuts, asked, drain, add, enter, tryToMake, make, take, view, seesAda, cookie }
}

/** A shop, a phone that has a cart at its server, and others beside it. */
export const openHandOverDevices = async (database: Database) => {
  const deps = testDeps(database)
  const app = await testApp(deps)
  const shop = await createCartFixtures(deps)
  const { jobId, studioId, slug } = shop
  await deps.db.insertInto('studio_slugs').values({ slug, studio_id: studioId }).execute()
  await deps.db.insertInto('access_codes').values({ studio_id: studioId, job_id: jobId, code: 'SPRING' }).execute()
  const made = await shop.offer(onePrint(25))
  const phone = () => openPhone({ app, deps, shop, made })
  const first = phone()
  await first.enter()
  await first.add()
  await first.drain()
  return { deps, jobId, first, second: phone(), phone }
}

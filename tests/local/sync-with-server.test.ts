import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { customiseLine, readCart } from '#local/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { rejectedMutations, retryRejected } from '#local/outbox/rejected-mutations.ts'
import { removeLine, undoRemoval } from '#local/outbox/undoable-removals.ts'
import { recovery } from '#local/recovery/recovery.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { tabLocks } from '#local/transport/locks.ts'
import { pullCarts, staleOrderMethods } from '#local/transport/pull-carts.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import { createRequest, type Transport } from '#local/transport/request.ts'
import { createSender } from '#local/transport/sender.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { addLine } from '#support/device/add-line.ts'
import { setQuantity } from '#support/device/set-quantity.ts'
import { readyImage } from '#support/images/ready-image.ts'
import { given } from '#support/server/given.ts'
import { browserClient, testApp, testDeps } from '#support/server/test-app.ts'
import { completeLineContent, createCartFixtures, onePrint } from '../server/carts/cart-fixtures.ts'
import { addFeatures } from '../server/carts/order-service-fixtures.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

type Cut = 'before' | 'after'

// Tests the sync engine against the real server; the engine's other tests use a model of the server.
describe.each(enginesFor(import.meta.filename))('a phone and the server on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    await given(deps).code(fixtures, 'SPRING')
    const cuts: Cut[] = []
    const browser = browserClient(app)
    const transport: Transport = async (request) => {
      const cut = cuts.shift()
      if (cut === 'before') throw new Error('cut before')
      const answer = await browser.carry(request)
      if (cut === 'after') throw new Error('cut after')
      return answer
    }
    const ask = createRequest(transport)
    const db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
    const key = { jobId: fixtures.jobId, orderMethod: 'gallery' as const }
    const time = { now: 0 }
    const sender = createSender({
      db,
      ask,
      locks: tabLocks,
      clock: () => time.now,
      random: () => 0,
      timers: { after: () => () => {} },
      stamp: deviceStamp,
      loadRecovery: async () => recovery,
    })
    expect(await ask(redeemCode, { params: { slug: fixtures.slug }, query: { code: 'SPRING' } })).toMatchObject({
      ok: true,
    })
    const { jobId, studioId, slug: studioSlug } = fixtures
    await saveAccessCode(db, { studioSlug, studioId, jobId, code: 'SPRING' })
    const ada = { jobId: fixtures.jobId, subjectId: fixtures.adaId }
    const proof = createSearchToken(deps, ada)
    await ask(confirmSubject, { params: ada, body: { subjectId: fixtures.adaId, proof } })
    await saveConfirmedSubject(db, { ...ada, proof })
    const add = async (packageVersion: Package, quantity = 1) => {
      const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
      const images = [{ imageId: fixtures.adaImageId, width: 2400, height: 3000, thumbnailUrl: '/photos/g/1/thumb-a' }]
      const content = {
        greenScreenBackgroundId: null,
        dataFields: [],
        textNodes: [],
        imageNodes: [],
        ...completeLineContent(packageVersion, fixtures.adaImageId),
      }
      const subjectKey = { subjectId: fixtures.adaId, personId: null }
      const snapshot = { package: packageVersion, subject, images }
      const result = await addLine(db, deviceStamp, { ...key, ...subjectKey, snapshot, quantity, content })
      if (!result.ok) throw new Error(result.message)
      return { ...result, content }
    }
    const drain = async () => {
      for (let round = 0; round < 20; round += 1) {
        await sender.drain()
        time.now += 60_000
      }
    }
    const view = (localDb = db) => readCart(localDb, fixtures.jobId, 'gallery')
    /** The database of this device after its browser deleted everything but the cookie. */
    const openEmptyDatabase = () => openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
    const deleteSessions = async () => void (await deps.db.deleteFrom('customer_sessions').execute())
    return { deps, db, ask, fixtures, key, cuts, add, drain, view, openEmptyDatabase, deleteSessions }
  }

  it('agree on the cart although requests and responses are lost', async () => {
    const { db, ask, fixtures, key, cuts, add, drain, view } = await setUp()
    const [big, small] = [await fixtures.offer(onePrint(40)), await fixtures.offer(onePrint(25))]
    const addOnPackage = await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const first = await add(big)
    const second = await add(small, 2)
    await add(addOnPackage)
    cuts.push('before', 'after', 'after', 'after')
    await drain()
    await setQuantity(db, deviceStamp, { ...key, lineId: second.lineId, quantity: 3 })
    const textNodes = first.content.textNodes.map((node) => ({ ...node, value: 'Ada King' }))
    await customiseLine(db, deviceStamp, { ...key, lineId: first.lineId, content: { ...first.content, textNodes } })
    cuts.push('after', 'after')
    await drain()
    const { cart, status, totalCents, lines } = await view()
    expect(status).toEqual({ kind: 'sent', label: 'Saved' })
    expect(totalCents).toBe(4000 + 3 * 2500 + 500)
    expect(lines[0]?.line.cartPackageItems[0]?.textNodes[0]?.value).toBe('Ada King')
    await refreshCart(db, ask, key)
    expect((await view()).cart).toEqual(cart)
    await removeLine(db, deviceStamp, { ...key, lineId: first.lineId })
    await removeLine(db, deviceStamp, { ...key, lineId: second.lineId })
    await drain()
    expect((await view()).status.kind).toBe('empty')
    await add(big)
    await drain()
    expect((await view()).status.kind).toBe('sent')
  })

  it('agree on the lines after the server lost the session, with the same line numbers', async () => {
    const { fixtures, cuts, add, drain, view, deleteSessions } = await setUp()
    const packageVersion = await fixtures.offer(onePrint(25))
    const numbers = [(await add(packageVersion)).number, (await add(packageVersion)).number]
    await drain()
    await deleteSessions()
    numbers.push((await add(packageVersion)).number)
    cuts.push('after', 'before', 'after', 'after')
    await drain()
    const { lines, status, rejected } = await view()
    expect([status.kind, rejected]).toEqual(['sent', []])
    expect(lines.map((lineView) => lineView.number)).toEqual(numbers)
  })

  it('agree on the complete cart after the browser deleted everything but the cookie', async () => {
    const { ask, fixtures, key, add, drain, view, openEmptyDatabase } = await setUp()
    await add(await fixtures.offer(onePrint(25)), 2)
    await add(await fixtures.offer(onePrint(40)))
    await drain()
    const before = await view()
    const db = openEmptyDatabase()
    const readStaleMethods = async () => {
      const listed = await ask(listCarts, { params: fixtures })
      return listed.ok && (await staleOrderMethods(db, { jobId: fixtures.jobId, live: listed.data }))
    }
    expect(await readStaleMethods()).toEqual(['gallery'])
    expect(await pullCarts(db, ask, [key])).toEqual({ subjectIds: [fixtures.adaId], filled: 'gallery' })
    const after = await view(db)
    expect(after.cart).toEqual(before.cart)
    expect(after.lines).toEqual(before.lines)
    expect(await readStaleMethods()).toEqual([])
  })

  it('agree that a package archived meanwhile is rejected, and that the rest is in the cart', async () => {
    const { deps, fixtures, add, drain, view } = await setUp()
    const [archived, available] = [await fixtures.offer(onePrint(25)), await fixtures.offer(onePrint(30))]
    await add(archived)
    await add(available)
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).where('id', '=', archived.id).execute()
    await drain()
    const { lines, rejected } = await view()
    expect(lines.map((lineView) => lineView.line.packageId)).toEqual([available.id])
    expect(rejected.map((rejection) => rejection.itemName)).toEqual([archived.name])
  })
  /** A line with texts and images on a background that the studio has disabled since. */
  const withDisabledBackground = async () => {
    const setup = await setUp()
    const { deps, fixtures, key, db, add, drain } = setup
    await addFeatures(deps, fixtures, ['greenscreens'])
    const job = { studio_id: fixtures.studioId, job_id: fixtures.jobId }
    const imageRow = { ...job, file_name: 'sky.jpg', original_key: 'sky', ...readyImage, published_at: deps.clock() }
    const { id: image_id } = await deps.db
      .insertInto('image_lookups')
      .values({ ...imageRow, kind: 'green-screen-background' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: greenScreenBackgroundId } = await deps.db
      .insertInto('green_screens')
      .values({ ...job, image_id, name: 'Sky' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { lineId, number, content } = await add(await fixtures.offer(onePrint(25)))
    const textNodes = content.textNodes.map((node) => ({ ...node, value: 'Ada King' }))
    const filledIn = { ...content, textNodes, greenScreenBackgroundId }
    await customiseLine(db, deviceStamp, { ...key, lineId, content: filledIn })
    await drain()
    await deps.db.updateTable('green_screens').set({ is_enabled: false }).execute()
    return { ...setup, lineId, number, filledIn }
  }

  it.each<[string, (setup: Awaited<ReturnType<typeof withDisabledBackground>>) => Promise<unknown>]>([
    [
      'removed and restored',
      async ({ db, key, lineId, drain }) => {
        const removed = await removeLine(db, deviceStamp, { ...key, lineId })
        if (!removed.ok) throw new Error(removed.message)
        await drain()
        await undoRemoval(db, deviceStamp, { ...key, ...removed })
      },
    ],
    [
      'sent again after the server lost the session, and changed before it was rejected',
      async ({ db, key, lineId, filledIn, deleteSessions }) => {
        await deleteSessions()
        await customiseLine(db, deviceStamp, { ...key, lineId, content: filledIn })
      },
    ],
  ])(
    'agree on a line whose background was disabled, after the customer accepts it without the background: %s',
    async (_, change) => {
      const setup = await withDisabledBackground()
      const { db, fixtures, drain, view, filledIn, number } = setup
      const before = (await view()).lines[0]?.line.cartPackageItems[0]
      await change(setup)
      await drain()
      expect((await view()).lines).toEqual([])
      const rejected = await rejectedMutations(db, fixtures.jobId)
      expect(rejected[0]?.rejection?.problem).toBe('background-gone')
      await retryRejected(db, deviceStamp, rejected[0]?.mutationId ?? '')
      await drain()
      const { lines, rejected: remaining } = await view()
      expect(remaining).toEqual([])
      expect(lines).toMatchObject([{ number, line: { greenScreen: null } }])
      const after = lines[0]?.line.cartPackageItems[0]
      expect(after?.textNodes[0]?.value).toBe('Ada King')
      expect(after?.imageNodes[0]?.subjectImageId).toBe(filledIn.imageNodes[0]?.subjectImageId)
      expect(after?.imageNodes[0]?.cropDimensions).toEqual(before?.imageNodes[0]?.cropDimensions)
    },
  )
})

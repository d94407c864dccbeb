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
import { browserClient, testApp, testDeps } from '#support/server/test-app.ts'
import { completeLineContent, createCartFixtures, onePrint } from '../server/carts/cart-fixtures.ts'
import { addFeatures } from '../server/carts/order-service-fixtures.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

type Cut = 'before' | 'after'

// The engine of the phone against the product's own server: what the model of it promises must be true of the real one.
describe.each(enginesFor(import.meta.filename))('a phone and the server on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    await deps.db.insertInto('studio_slugs').values({ slug: shop.slug, studio_id: shop.studioId }).execute()
    await deps.db
      .insertInto('access_codes')
      .values({ studio_id: shop.studioId, job_id: shop.jobId, code: 'SPRING' })
      .execute()
    const cuts: Cut[] = []
    const browser = browserClient(app)
    const carry: Transport = async (letter) => {
      const cut = cuts.shift()
      if (cut === 'before') throw new Error('cut before')
      const answer = await browser.carry(letter)
      if (cut === 'after') throw new Error('cut after')
      return answer
    }
    const ask = createRequest(carry)
    const db = openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
    const key = { jobId: shop.jobId, orderMethod: 'gallery' as const }
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
    expect(await ask(redeemCode, { params: { slug: shop.slug }, query: { code: 'SPRING' } })).toMatchObject({
      ok: true,
    })
    const { jobId, studioId, slug: studioSlug } = shop
    await saveAccessCode(db, { studioSlug, studioId, jobId, code: 'SPRING' })
    const ada = { jobId: shop.jobId, subjectId: shop.adaId }
    const proof = createSearchToken(deps, ada)
    await ask(confirmSubject, { params: ada, body: { subjectId: shop.adaId, proof } })
    await saveConfirmedSubject(db, { ...ada, proof })
    const add = async (made: Package, quantity = 1) => {
      const subject = { firstName: 'Ada', lastName: 'Lovelace', imageThumbnailUrl: null }
      const images = [{ imageId: shop.adaImageId, width: 2400, height: 3000, thumbnailUrl: '/photos/g/1/thumb-a' }]
      const content = {
        greenScreenBackgroundId: null,
        dataFields: [],
        textNodes: [],
        imageNodes: [],
        ...completeLineContent(made, shop.adaImageId),
      }
      const whose = { subjectId: shop.adaId, personId: null }
      const snapshot = { package: made, subject, images }
      const added = await addLine(db, deviceStamp, { ...key, ...whose, snapshot, quantity, content })
      if (!added.ok) throw new Error(added.message)
      return { ...added, content }
    }
    const drain = async () => {
      for (let round = 0; round < 20; round += 1) {
        await sender.drain()
        time.now += 60_000
      }
    }
    const view = (of = db) => readCart(of, shop.jobId, 'gallery')
    /** What this device's browser has after it threw away all but the cookie. */
    const emptied = () => openLocalDatabase('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
    const forget = async () => void (await deps.db.deleteFrom('customer_sessions').execute())
    return { deps, db, ask, shop, key, cuts, add, drain, view, emptied, forget }
  }

  it('agree on the cart, though answers are dropped', async () => {
    const { db, ask, shop, key, cuts, add, drain, view } = await begin()
    const [big, small] = [await shop.offer(onePrint(40)), await shop.offer(onePrint(25))]
    const extra = await shop.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const first = await add(big)
    const second = await add(small, 2)
    await add(extra)
    cuts.push('before', 'after', 'after', 'after')
    await drain()
    await setQuantity(db, deviceStamp, { ...key, lineId: second.lineId, quantity: 3 })
    const textNodes = first.content.textNodes.map((one) => ({ ...one, value: 'Ada King' }))
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

  it('agree again after the server lost the session, under the same line numbers', async () => {
    const { shop, cuts, add, drain, view, forget } = await begin()
    const made = await shop.offer(onePrint(25))
    const numbers = [(await add(made)).number, (await add(made)).number]
    await drain()
    await forget()
    numbers.push((await add(made)).number)
    cuts.push('after', 'before', 'after', 'after')
    await drain()
    const { lines, status, refused } = await view()
    expect([status.kind, refused]).toEqual(['sent', []])
    expect(lines.map((one) => one.number)).toEqual(numbers)
  })

  it('agree on the whole cart after the phone’s browser threw away all but the cookie', async () => {
    const { ask, shop, key, add, drain, view, emptied } = await begin()
    await add(await shop.offer(onePrint(25)), 2)
    await add(await shop.offer(onePrint(40)))
    await drain()
    const before = await view()
    const db = emptied()
    const stale = async () => {
      const listed = await ask(listCarts, { params: shop })
      return listed.ok && (await staleOrderMethods(db, { jobId: shop.jobId, live: listed.data }))
    }
    expect(await stale()).toEqual(['gallery'])
    expect(await pullCarts(db, ask, [key])).toEqual({ subjectIds: [shop.adaId], filled: 'gallery' })
    const after = await view(db)
    expect(after.cart).toEqual(before.cart)
    expect(after.lines).toEqual(before.lines)
    expect(await stale()).toEqual([])
  })

  it('agree on what cannot be had, and on the rest', async () => {
    const { deps, shop, add, drain, view } = await begin()
    const [gone, made] = [await shop.offer(onePrint(25)), await shop.offer(onePrint(30))]
    await add(gone)
    await add(made)
    await deps.db.updateTable('packages').set({ archived_at: deps.clock() }).where('id', '=', gone.id).execute()
    await drain()
    const { lines, refused } = await view()
    expect(lines.map((one) => one.line.packageId)).toEqual([made.id])
    expect(refused.map((one) => one.packageName)).toEqual([gone.name])
  })
  /** A line with its texts and pictures on a background, which the studio switched off since. */
  const onGoneBackground = async () => {
    const all = await begin()
    const { deps, shop, key, db, add, drain } = all
    await addFeatures(deps, shop, ['greenscreens'])
    const job = { studio_id: shop.studioId, job_id: shop.jobId }
    const picture = { ...job, file_name: 'sky.jpg', original_key: 'sky', ...readyImage, published_at: deps.clock() }
    const { id: image_id } = await deps.db
      .insertInto('image_lookups')
      .values({ ...picture, kind: 'green-screen-background' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: greenScreenBackgroundId } = await deps.db
      .insertInto('green_screens')
      .values({ ...job, image_id, name: 'Sky' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { lineId, number, content } = await add(await shop.offer(onePrint(25)))
    const textNodes = content.textNodes.map((one) => ({ ...one, value: 'Ada King' }))
    const filledIn = { ...content, textNodes, greenScreenBackgroundId }
    await customiseLine(db, deviceStamp, { ...key, lineId, content: filledIn })
    await drain()
    await deps.db.updateTable('green_screens').set({ is_enabled: false }).execute()
    return { ...all, lineId, number, filledIn }
  }

  it.each<[string, (all: Awaited<ReturnType<typeof onGoneBackground>>) => Promise<unknown>]>([
    [
      'taken out and put back',
      async ({ db, key, lineId, drain }) => {
        const removed = await removeLine(db, deviceStamp, { ...key, lineId })
        if (!removed.ok) throw new Error(removed.message)
        await drain()
        await undoRemoval(db, deviceStamp, { ...key, ...removed })
      },
    ],
    [
      'sent again after the server lost the session, and changed before it was refused',
      async ({ db, key, lineId, filledIn, forget }) => {
        await forget()
        await customiseLine(db, deviceStamp, { ...key, lineId, content: filledIn })
      },
    ],
  ])('agree on a line whose background is gone: %s, it comes without, once the customer says so', async (_, go) => {
    const all = await onGoneBackground()
    const { db, shop, drain, view, filledIn, number } = all
    const before = (await view()).lines[0]?.line.cartPackageItems[0]
    await go(all)
    await drain()
    expect((await view()).lines).toEqual([])
    const refused = await rejectedMutations(db, shop.jobId)
    expect(refused[0]?.refusal?.problem).toBe('background-gone')
    await retryRejected(db, deviceStamp, refused[0]?.mutationId ?? '')
    await drain()
    const { lines, refused: left } = await view()
    expect(left).toEqual([])
    expect(lines).toMatchObject([{ number, line: { greenScreen: null } }])
    const after = lines[0]?.line.cartPackageItems[0]
    expect(after?.textNodes[0]?.value).toBe('Ada King')
    expect(after?.imageNodes[0]?.subjectImageId).toBe(filledIn.imageNodes[0]?.subjectImageId)
    expect(after?.imageNodes[0]?.cropDimensions).toEqual(before?.imageNodes[0]?.cropDimensions)
  })
})

import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'
import { type Taking, takeVisit } from '../../src/client/customer/hand-over/taking.ts'
import { listCarts } from '../../src/contract/customer-cart.ts'
import { confirmSubject, getSubject, redeemCode } from '../../src/contract/customer-find.ts'
import { makeHandOver } from '../../src/contract/hand-over.ts'
import type { OrderMethod } from '../../src/domain/catalogue.ts'
import { type Ask, askBy, type Carry, unreachable } from '../../src/local/ask.ts'
import { readCart } from '../../src/local/cart.ts'
import { markOrdered, readOrder } from '../../src/local/checkouts.ts'
import { openLocal } from '../../src/local/database.ts'
import { readDraft } from '../../src/local/drafts.ts'
import { tabLocks } from '../../src/local/locks.ts'
import { chosenMethod } from '../../src/local/order-method.ts'
import { peopleTypedIn } from '../../src/local/people.ts'
import { pullCarts, staleMethods } from '../../src/local/pull-carts.ts'
import { rescue } from '../../src/local/rescue.ts'
import { createSender } from '../../src/local/sender.ts'
import { deviceStamp } from '../../src/local/stamp.ts'
import { typeInPerson } from '../../src/local/type-in.ts'
import { rememberCode, rememberSubject } from '../../src/local/visits.ts'
import { foundProof } from '../../src/server/find/found-proof.ts'
import { filled, onePrint, openShop } from '../server/carts/shop.ts'
import { addLine } from '../support/add-line.ts'
import { engines, freshDatabase } from '../support/database.ts'
import { browserOf, testApp, testDeps } from '../support/server.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

describe.each(engines)('a phone that takes the cart of another on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await openShop(deps)
    const { jobId, studioId, slug } = shop
    await deps.db.insertInto('studio_slugs').values({ slug, studio_id: studioId }).execute()
    await deps.db.insertInto('access_codes').values({ studio_id: studioId, job_id: jobId, code: 'SPRING' }).execute()
    const made = await shop.offer(onePrint(25))

    /** A phone with a browser and a database of its own. `cuts`: the next answers that are lost. */
    const phone = () => {
      const cuts: boolean[] = []
      const browser = browserOf(app)
      const carry: Carry = async (letter) => {
        const answer = await browser.carry(letter)
        if (cuts.shift()) throw new Error('cut after')
        return answer
      }
      const ask = askBy(carry)
      const db = openLocal('cart', { indexedDB: new IDBFactory(), IDBKeyRange })
      const time = { now: 0 }
      const parts = { clock: () => time.now, random: () => 0, timers: { after: () => () => {} } }
      const sender = createSender({
        db,
        ask,
        locks: tabLocks,
        stamp: deviceStamp,
        rescue: async () => rescue,
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
        const content = { greenScreenBackgroundId: null, dataFields: [], textNodes: [], imageNodes: [] }
        const added = await addLine(db, deviceStamp, {
          ...{ jobId, orderMethod, subjectId: personId ? null : shop.adaId, personId, snapshot, quantity: 2 },
          content: personId ? content : { ...content, ...filled(made, shop.adaImageId) },
        })
        if (!added.ok) throw new Error(added.sentence)
      }
      const enter = async () => {
        await ask(redeemCode, { params: { slug }, query: { code: 'SPRING' } })
        await rememberCode(db, { studioSlug: slug, studioId, studioName: 'Riverside', jobId, code: 'SPRING' })
        const ada = { jobId, subjectId: shop.adaId }
        const proof = foundProof(deps, ada)
        await ask(confirmSubject, { params: ada, body: { subjectId: shop.adaId, proof } })
        await rememberSubject(db, { ...ada, proof })
      }
      const make = async (orderMethod: OrderMethod = 'gallery') => {
        const answer = await ask(makeHandOver, { params: { jobId }, body: { orderMethod } })
        if (!answer.ok) throw new Error(answer.problem)
        return answer.data.address.split('#')[1] ?? ''
      }
      const take = (token: string | null, own: Partial<Taking> = {}) =>
        takeVisit(
          { db, ask, settle: async () => null, stamp: deviceStamp, locks: tabLocks, pull: pullBy(ask), ...own },
          token,
        )
      const pullBy = (by: Ask): Taking['pull'] => {
        return async (of) => {
          const answer = await by(listCarts, { params: { jobId: of.jobId } })
          if (!answer.ok) return answer
          const methods = await staleMethods(db, { jobId, live: answer.data })
          await pullCarts(
            db,
            by,
            methods.map((orderMethod) => ({ jobId, orderMethod })),
          )
          return null
        }
      }
      const view = (orderMethod: OrderMethod = 'gallery') => readCart(db, jobId, orderMethod)
      const seesAda = async () => (await ask(getSubject, { params: { jobId, subjectId: shop.adaId } })).ok
      return { ask, db, cuts, drain, add, enter, make, take, view, seesAda, cookie: browser.cookie }
    }

    const first = phone()
    await first.enter()
    await first.add()
    await first.drain()
    return { deps, shop, made, jobId, first, second: phone(), phone }
  }

  it('has the same cart, whole, and goes on with it', async () => {
    const { first, second, jobId } = await begin()
    expect(await second.take(await first.make())).toEqual({ as: 'taken', jobId })
    const [here, there] = [await second.view(), await first.view()]
    expect(here.cart).toEqual(there.cart)
    expect(here.lines).toMatchObject([{ state: 'sent', line: { quantity: 2 } }])
    expect(here.status.kind).toBe('sent')
    await second.add()
    await second.drain()
    expect((await second.view()).lines.map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(await readDraft(second.db, 'hand-over')).toBeUndefined()
  })

  it('has people typed in before the picture day, and stands where the other stood', async () => {
    const { first, second, jobId } = await begin()
    const typed = { firstName: 'Grace', lastName: 'Hopper', dataFields: [] }
    const written = await typeInPerson(first.db, deviceStamp, { jobId, orderMethod: 'prepay', typed })
    expect(written).toMatchObject({ ok: true })
    const [grace] = await peopleTypedIn(first.db, jobId)
    await first.add('prepay', grace?.personId)
    await first.drain()
    await second.take(await first.make('prepay'))
    expect((await second.view('prepay')).cart).toEqual((await first.view('prepay')).cart)
    expect((await second.view('prepay')).lines).toMatchObject([{ state: 'sent', line: { personId: grace?.personId } }])
    expect(await peopleTypedIn(second.db, jobId)).toMatchObject([{ ...typed, personId: grace?.personId }])
    expect(await chosenMethod(second.db, jobId)).toBe('prepay')
  })

  it('is in after an answer was lost, whether it asks again by itself or as a page that was opened anew', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    second.cuts.push(true)
    expect(await second.take(token)).toMatchObject({ as: 'later', answer: { status: 'unreachable' } })
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.take(null)).toEqual({ as: 'nothing' })
  })

  it('goes on as a page that was opened anew where a visit finished here before could not be ended yet', async () => {
    const { first, second, jobId } = await begin()
    const settle = async () => unreachable
    expect(await second.take(await first.make(), { settle })).toEqual({ as: 'later', answer: unreachable })
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('does not say that the cart is here before it is', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    second.cuts.push(false, true)
    expect(await second.take(token)).toMatchObject({ as: 'later' })
    expect((await second.view()).lines).toEqual([])
    // However long after: it is in, and asks nobody to be let in again.
    expect(await second.take(null)).toEqual({ as: 'taken', jobId })
    expect((await second.view()).lines).toHaveLength(1)
  })

  it('hears of a spent code, and keeps nothing of it', async () => {
    const { first, second, phone } = await begin()
    const token = await first.make()
    await second.take(token)
    const third = phone()
    expect(await third.take(token)).toEqual({ as: 'gone' })
    expect(await third.take(null)).toEqual({ as: 'nothing' })
  })

  it('keeps a cart of its own, sent or not, and its visit', async () => {
    const { first, phone, jobId } = await begin()
    for (const sent of [false, true]) {
      const own = phone()
      await own.enter()
      await own.add()
      if (sent) await own.drain()
      const [before, cookie] = [await own.view(), own.cookie()]
      const token = await first.make()
      expect(await own.take(token)).toEqual({ as: 'own', cart: { jobId, orderMethod: 'gallery' } })
      expect([await own.view(), own.cookie()]).toEqual([before, cookie])
      const fresh = phone()
      expect(await fresh.take(token)).toEqual({ as: 'taken', jobId })
    }
  })

  it('knows its own cart again, and leaves the code for another', async () => {
    const { first, second, jobId } = await begin()
    const token = await first.make()
    const before = await first.view()
    expect(await first.take(token)).toEqual({ as: 'taken', jobId })
    expect(await first.view()).toEqual(before)
    expect(await second.take(token)).toEqual({ as: 'taken', jobId })
  })

  it('that ordered before keeps its orders, and finds the people of its codes again', async () => {
    const { first, phone, jobId } = await begin()
    const second = phone()
    await second.enter()
    await markOrdered(second.db, deviceStamp, {
      jobId,
      orderMethod: 'gallery',
      orderNumber: 'FP-00000001',
      order: null,
    })
    expect(await second.take(await first.make())).toEqual({ as: 'taken', jobId })
    expect(await readOrder(second.db, 'FP-00000001')).toMatchObject({ jobId })
    expect((await second.view()).lines).toHaveLength(1)
    expect(await second.seesAda()).toBe(true)
  })
})

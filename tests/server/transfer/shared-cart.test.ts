import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { postHandOver, redeemHandOver } from '#contract/customer/hand-over.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  add,
  type CartFixtures,
  cartClient,
  completeLineContent,
  createCartFixtures,
  onePrint,
  type Parent,
  quantity,
} from '../carts/cart-fixtures.ts'
import { customerClient } from '../discovery/customer-client.ts'

const hall = '203.0.113.7'

/** A device that accepts a hand-over of `from`; `own` is its previous session. */
const takeFrom = async (app: FastifyInstance, shop: CartFixtures, { from, own }: { from: Parent; own?: Parent }) => {
  const maker = customerClient(app, hall, from.headers.cookie)
  const { data } = await maker.ask(postHandOver, { params: shop.job, body: { orderMethod: 'gallery' } })
  const taker = customerClient(app, hall, own?.headers.cookie)
  const body = { token: data.address.split('#')[1], secret: 's'.repeat(22), holdsCart: false }
  const { status, problem } = await taker.ask(redeemHandOver, { body })
  return { status, problem, ...cartClient(app, shop, { id: from.id, headers: { cookie: taker.cookie() } }) }
}

describe.each(enginesFor(import.meta.filename))('a cart shared by two devices on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const made = await shop.offer(onePrint(25))
    const parent = await shop.enter()
    const first = cartClient(app, shop, parent)
    const line = add(made, shop.adaId, { quantity: 2, ...completeLineContent(made, shop.adaImageId) })
    await first.sync([line])
    return { app, shop, made, parent, first, line }
  }

  it('both devices change the same cart', async () => {
    const { app, shop, parent, first, line } = await begin()
    const second = await takeFrom(app, shop, { from: parent })
    expect(await second.cart()).toEqual(await first.cart())
    await second.sync([quantity(line.lineId, 5)])
    expect(await first.cart()).toMatchObject({ version: 3, cartPackages: [{ lineId: line.lineId, quantity: 5 }] })
  })

  it('mutations that both devices send are applied once', async () => {
    const { app, shop, made, parent, first } = await begin()
    const second = await takeFrom(app, shop, { from: parent })
    const another = add(made, shop.adaId)
    await Promise.all([first.sync([another]), second.sync([another])])
    expect((await first.cart()).cartPackages).toHaveLength(2)
  })

  it('a device with a cart of its own does not join, even if it lost its data', async () => {
    const { app, shop, made, parent } = await begin()
    const own = await shop.enter()
    await cartClient(app, shop, own).sync([add(made, shop.adaId)])
    const other = await takeFrom(app, shop, { from: parent, own })
    expect([other.status, other.problem]).toEqual([409, 'own-cart'])
    expect((await cartClient(app, shop, own).cart()).cartPackages).toHaveLength(1)
    const emptied = await shop.enter()
    expect((await takeFrom(app, shop, { from: parent, own: emptied })).status).toBe(200)
  })
})

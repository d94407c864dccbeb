import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { postHandOver, redeemHandOver } from '#contract/customer/hand-over.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import {
  addLine,
  type CartFixtures,
  type CustomerSession,
  cartClient,
  completeLineContent,
  createCartFixtures,
  onePrint,
  setQuantity,
} from '../carts/cart-fixtures.ts'
import { customerClient } from '../discovery/customer-client.ts'

const hallIp = '203.0.113.7'

/** A device, perhaps with a previous session, that accepts a hand-over of `from`. */
const redeemFrom = async (
  app: FastifyInstance,
  fixtures: CartFixtures,
  { from, previous }: { from: CustomerSession; previous?: CustomerSession },
) => {
  const offeringClient = customerClient(app, hallIp, from.headers.cookie)
  const { data } = await offeringClient.request(postHandOver, {
    params: fixtures.job,
    body: { orderMethod: 'gallery' },
  })
  const acceptingClient = customerClient(app, hallIp, previous?.headers.cookie)
  const body = { token: data.address.split('#')[1], secret: 's'.repeat(22), holdsCart: false }
  const { status, problem } = await acceptingClient.request(redeemHandOver, { body })
  return {
    status,
    problem,
    ...cartClient(app, fixtures, { id: from.id, headers: { cookie: acceptingClient.cookie() } }),
  }
}

describe.each(enginesFor(import.meta.filename))('a cart shared by two devices on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const offeredPackage = await fixtures.offer(onePrint(25))
    const session = await fixtures.enter()
    const first = cartClient(app, fixtures, session)
    const line = addLine(offeredPackage, fixtures.adaId, {
      quantity: 2,
      ...completeLineContent(offeredPackage, fixtures.adaImageId),
    })
    await first.sync([line])
    return { app, fixtures, offeredPackage, session, first, line }
  }

  it('both devices change the same cart', async () => {
    const { app, fixtures, session, first, line } = await setUp()
    const second = await redeemFrom(app, fixtures, { from: session })
    expect(await second.cart()).toEqual(await first.cart())
    await second.sync([setQuantity(line.lineId, 5)])
    expect(await first.cart()).toMatchObject({ version: 3, cartPackages: [{ lineId: line.lineId, quantity: 5 }] })
  })

  it('mutations that both devices send are applied once', async () => {
    const { app, fixtures, offeredPackage, session, first } = await setUp()
    const second = await redeemFrom(app, fixtures, { from: session })
    const secondLine = addLine(offeredPackage, fixtures.adaId)
    await Promise.all([first.sync([secondLine]), second.sync([secondLine])])
    expect((await first.cart()).cartPackages).toHaveLength(2)
  })

  it('a device with a cart of its own does not join, even if it lost its data', async () => {
    const { app, fixtures, offeredPackage, session } = await setUp()
    const previous = await fixtures.enter()
    await cartClient(app, fixtures, previous).sync([addLine(offeredPackage, fixtures.adaId)])
    const other = await redeemFrom(app, fixtures, { from: session, previous })
    expect([other.status, other.problem]).toEqual([409, 'own-cart'])
    expect((await cartClient(app, fixtures, previous).cart()).cartPackages).toHaveLength(1)
    const emptySession = await fixtures.enter()
    expect((await redeemFrom(app, fixtures, { from: session, previous: emptySession })).status).toBe(200)
  })
})

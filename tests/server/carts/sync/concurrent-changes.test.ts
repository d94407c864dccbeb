import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { hideSubjects } from '#server/subjects/subject-visibility.ts'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, cartClient, createCartFixtures, onePrint, setQuantity } from '../cart-fixtures.ts'

type Moment = {
  /** A column of the statement's result. */
  column: string
  /** The number of the statement among those with that column, starting at 1. */
  count: number
}

const authorized: Moment = { column: 'imagesVersion', count: 1 }
/** The second of the mutations that are applied one by one has locked the cart. */
const secondMutationLocked: Moment = { column: 'body_hash', count: 2 }

/** A plugin that runs work once, after a statement. */
const afterStatement = () => {
  let pending: (Moment & { work: () => Promise<unknown> }) | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!pending || !result.rows.some((row) => pending && pending.column in row)) return result
      const { work } = pending
      pending.count -= 1
      if (pending.count > 0) return result
      pending = undefined
      await work()
      return result
    },
  }
  const runOnce = (work: () => Promise<unknown>, moment = authorized): void => {
    // Outside of the request's transaction, as a request of another user.
    pending = { ...moment, work: AsyncResource.bind(work) }
  }
  return { plugin, runOnce }
}

const unpublish = ({ db }: Deps, { studioId, jobId }: { studioId: number; jobId: number }) =>
  db.updateTable('jobs').set({ published_at: null }).where('studio_id', '=', studioId).where('id', '=', jobId).execute()

// The embedded engine has no second connection for the concurrent change.
const postgres = engines.filter(({ name }) => name === 'postgres')

describe.each(postgres)('changes during a cart request on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A customer's client of a server, and how to run work in the middle of its next request. */
  const setUp = async () => {
    const deps = testDeps(database())
    const fixtures = await createCartFixtures(deps)
    const session = await fixtures.enter()
    const offered = await fixtures.offer(onePrint(25))
    const { plugin, runOnce } = afterStatement()
    const app = await testApp({ ...deps, db: deps.db.withPlugin(plugin) })
    const otherServer = cartClient(await testApp(deps), fixtures, session)
    return { deps, fixtures, offered, server: cartClient(app, fixtures, session), otherServer, runOnce }
  }

  it('the cart has the effects of every result in its response, even of one recorded during the request', async () => {
    const { fixtures, offered, server, otherServer, runOnce } = await setUp()
    await otherServer.sync([addLine(offered, fixtures.adaId)])
    const late = addLine(offered, fixtures.adaId)
    runOnce(() => otherServer.sync([late]))
    const { data } = await server.request('POST', 'cart/sync', {
      body: { orderMethod: 'gallery', mutations: [], sentBefore: [late.id] },
    })
    expect(data.results).toEqual([{ id: late.id, status: 'done' }])
    expect(data.cart.cartPackages).toHaveLength(2)
  })

  it('the response to a change of quantity shows whether the subject is hidden when the change is written', async () => {
    const { deps, fixtures, offered, server, runOnce } = await setUp()
    const { studioId, adaId } = fixtures
    const line = addLine(offered, adaId)
    await server.sync([line])
    await server.sync([setQuantity(line.lineId, 2)])
    const subjects = { studioId, subjectIds: [adaId] }
    runOnce(() => deps.db.transaction().execute((tx) => hideSubjects(tx, deps, subjects)))
    const { results, cart } = await server.sync([setQuantity(line.lineId, 3)])
    expect(results).toMatchObject([{ status: 'done' }])
    expect(cart.cartPackages).toMatchObject([{ quantity: 3, snapshot: { withdrawn: { person: 'hidden' } } }])
    expect(cart).toEqual(await server.cart())
  })

  it('a change is decided by the job as it is when the change is written', async () => {
    const { deps, fixtures, offered, server, runOnce } = await setUp()
    const { studioId, jobId, adaId } = fixtures
    const line = addLine(offered, adaId)
    await server.sync([line])
    await server.sync([setQuantity(line.lineId, 2)])
    runOnce(() => unpublish(deps, { studioId, jobId }))
    expect((await server.sync([setQuantity(line.lineId, 3)])).results).toMatchObject([{ status: 'refused' }])
  })

  it('of changes that are written one by one, each is decided by the job as it is when that change is written', async () => {
    const { deps, fixtures, offered, server, runOnce } = await setUp()
    const { studioId, jobId, adaId } = fixtures
    const line = addLine(offered, adaId)
    await server.sync([line])
    // The first change is rejected, so the others are not written with it in one statement.
    const mutations = [setQuantity(randomUUID(), 2), setQuantity(line.lineId, 2), setQuantity(line.lineId, 3)]
    runOnce(() => unpublish(deps, { studioId, jobId }), secondMutationLocked)
    const { results, cart } = await server.sync(mutations)
    expect(results).toMatchObject([{ status: 'refused' }, { status: 'done' }, { status: 'refused' }])
    expect(cart.cartPackages).toMatchObject([{ quantity: 2 }])
  })
})

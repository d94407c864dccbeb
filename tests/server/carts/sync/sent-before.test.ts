import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addLine, cartClient, createCartFixtures, onePrint } from '../cart-fixtures.ts'

/** Runs `work` once after the statement that authorizes the next request. The embedded engine has no second connection for it. */
const afterAuthorization = (work: () => Promise<unknown>): KyselyPlugin => {
  let isDone = false
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isDone && result.rows.some((row) => 'imagesVersion' in row)) {
        isDone = true
        await work()
      }
      return result
    },
  }
}

describe.each(engines.filter(({ name }) => name === 'postgres'))('results of earlier requests on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the cart has the effects of every result in its response, even of one recorded during the request', async () => {
    const deps = testDeps(database())
    const fixtures = await createCartFixtures(deps)
    const session = await fixtures.enter()
    const offered = await fixtures.offer(onePrint(25))
    const otherServer = cartClient(await testApp(deps), fixtures, session)
    await otherServer.sync([addLine(offered, fixtures.adaId)])
    const late = addLine(offered, fixtures.adaId)
    const db = deps.db.withPlugin(afterAuthorization(() => otherServer.sync([late])))
    const server = cartClient(await testApp({ ...deps, db }), fixtures, session)
    const { data } = await server.request('POST', 'cart/sync', {
      body: { orderMethod: 'gallery', mutations: [], sentBefore: [late.id] },
    })
    expect(data.results).toEqual([{ id: late.id, status: 'done' }])
    expect(data.cart.cartPackages).toHaveLength(2)
  })
})

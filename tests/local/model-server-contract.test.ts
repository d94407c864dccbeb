import { describe, it, vi } from 'vitest'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { createRequest } from '#local/transport/request.ts'
import { sessionCookie } from '#server/access/sessions/sessions.ts'
import { setCartState } from '#server/carts/store/live-carts.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { hashOf } from '#server/http/hash.ts'
import { type CartServer, type ContractJob, scenarios } from '#support/cart-server/cart-server-contract.ts'
import { createModelServer, searchProofOf } from '#support/cart-server/model-server.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { browserClient, testApp, testDeps } from '#support/server/test-app.ts'
import { addOn, customField, imageNode, packageItem, packageOf, textNode } from '../domain/cart/cart-fixtures.ts'
import { nameService, plainService, premiumRetouch, serviceSnapshotOf } from '../domain/cart/order-service-fixtures.ts'
import { createCartFixtures, onePrint } from '../server/carts/cart-fixtures.ts'
import { seedOrderServices } from '../server/carts/order-service-fixtures.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** A package of one print, with its own nodes. */
const printOf = (id: number, overrides: Partial<Package> = {}): Package =>
  packageOf({
    id,
    items: [packageItem({ id, imageNodes: [imageNode({ id: id + 1 })], textNodes: [textNode({ id: id + 2 })] })],
    ...overrides,
  })

const modelServer = (): CartServer => {
  const [standard, withdrawn] = [printOf(100), printOf(300)]
  const revised = { ...standard, version: 2, retailCost: 30 }
  const addOnPackage = printOf(200, { retailCost: 5, packageAddon: addOn(200, {}).packageAddon })
  const packages = [revised, standard, addOnPackage]
  const services = [
    serviceSnapshotOf({ ...premiumRetouch, price: 8 }),
    serviceSnapshotOf(nameService),
    serviceSnapshotOf({ ...plainService, price: 3 }),
  ]
  const server = createModelServer({
    ...{ jobId: 1, studioId: 1, slug: 'riverside', fields: [customField({ name: 'Grade' })] },
    subjects: [
      { subjectId: 7, personId: null, firstName: 'Ada', lastName: 'Lovelace', imageIds: [501, 502] },
      { subjectId: 8, personId: null, firstName: 'Ben', lastName: 'Lovelace', imageIds: [503] },
    ],
    package: (id, version) =>
      packages.find((candidate) => candidate.id === id && candidate.version === version) ??
      packages.find((candidate) => candidate.id === id) ??
      null,
    service: (id) => services.find(({ service }) => service.orderServiceId === id) ?? null,
  })
  const contractJob: ContractJob = {
    ...{ jobId: 1, slug: 'riverside', standard, revised, addOn: addOnPackage, withdrawn },
    ada: { id: 7, proof: searchProofOf(7), imageIds: [501, 502] },
    ben: { id: 8, proof: searchProofOf(8), imageId: 503 },
    services: {
      retouch: premiumRetouch.orderServiceId,
      personalization: nameService.orderServiceId,
      box: plainService.orderServiceId,
    },
  }
  return {
    job: contractJob,
    newBrowser: () => {
      const { send, setState } = server.newBrowser()
      return {
        send,
        request: createRequest(send),
        setState: async (orderMethod, state) => setState(1, orderMethod, state),
      }
    },
    deleteSessions: async () => server.deleteSessions(),
    deleteConfirmedSubjects: async () => server.deleteConfirmedSubjects(),
  }
}

describe('the model of the server', () => {
  it.each(scenarios)('%s', async (_, run) => {
    await run(modelServer())
  })
})

describe.each(enginesFor(import.meta.filename))('the server on $name', (engine) => {
  const database = freshDatabase(engine)

  const startServer = async (): Promise<CartServer> => {
    const deps = testDeps(database())
    const { db } = deps
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const { slug, studioId, jobId, adaId } = fixtures
    await given(deps).code(fixtures, 'SPRING')
    await db.updateTable('jobs').set({ enable_year_book_pose_selection: true }).execute()
    await fixtures.addJobField('Grade')
    const services = await seedOrderServices(deps, fixtures)
    await services.setServicePrice(services.box, 300)
    const benId = await fixtures.addSubject('Ben')
    const secondImageId = await fixtures.addImage({ subjectId: adaId })
    const benImageId = await fixtures.addImage({ subjectId: benId })
    const standard = await fixtures.offer(onePrint(25))
    const revised = await fixtures.revise(standard, { retailCost: 30 })
    const addOnPackage = await fixtures.offer(onePrint(5, { type: 'addon_standard', requiresStandard: true }))
    const withdrawn = await fixtures.offer(onePrint(25))
    await db.updateTable('packages').set({ archived_at: deps.clock() }).where('id', '=', withdrawn.id).execute()
    return {
      job: {
        ...{ jobId, slug, standard, revised, addOn: addOnPackage, withdrawn },
        ada: {
          id: adaId,
          proof: createSearchToken(deps, { jobId, subjectId: adaId }),
          imageIds: [fixtures.adaImageId, secondImageId],
        },
        ben: { id: benId, proof: createSearchToken(deps, { jobId, subjectId: benId }), imageId: benImageId },
        services: { retouch: services.basic, personalization: services.personal, box: services.box },
      },
      newBrowser: () => {
        const { carry, cookie } = browserClient(app)
        const ask = createRequest(carry)
        return {
          send: carry,
          request: ask,
          setState: async (orderMethod, state) => {
            const token_hash = hashOf(cookie().slice(`${sessionCookie}=`.length))
            const { id } = await db
              .selectFrom('session_keys')
              .select('session_id as id')
              .where('token_hash', '=', token_hash)
              .executeTakeFirstOrThrow()
            const carts = await db
              .selectFrom('carts')
              .select('id')
              .where('session_id', '=', id)
              .where('order_method', '=', orderMethod)
              .execute()
            for (const { id: cartId } of carts) {
              await db
                .transaction()
                .execute((tx) => setCartState(tx, { studioId, cartId }, { state, at: deps.clock() }))
            }
          },
        }
      },
      deleteSessions: async () => void (await db.deleteFrom('customer_sessions').execute()),
      deleteConfirmedSubjects: async () =>
        void (await db.deleteFrom('session_grants').where('kind', '=', 'subject').execute()),
    }
  }

  it.each(scenarios)('%s', async (_, run) => {
    await run(await startServer())
  })
})

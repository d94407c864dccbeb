import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { purgeGrants } from '#local/session.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { createGrantTracker } from '#sw/grant-tracker.ts'
import { origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const availability = '/api/customer/jobs/1/availability'
const imagesOfAda = [{ thumbnailUrl: '/photos/g1/501/t-1' }]

const availabilityWith = (...grants: string[]) => ({
  ...{ jobId: 1, studioSlug: 'riverside', studioName: 'Riverside Portraits', jobName: 'Spring' },
  ...{ published: true, archived: false, codeGiven: true },
  prepay: { available: false, opens: null, closes: null },
  gallery: { available: true, opens: null, closes: null },
  grants: grants.map((grantId) => ({ grantId, subjectId: 7 })),
})

const urlOf = (path: string) => new URL(path, origin)

/** A device and its worker's catalogue. `duringNextResponse`: what happens while the next response is in flight. */
const setUp = () => {
  const during: (() => Promise<unknown>)[] = []
  const notifiedPaths: string[] = []
  const { db, caches, network, grants, catalogue } = workerParts({ tick: 1 }, ({ fetch }) => ({
    fetch: async (request) => {
      const answer = await fetch(request)
      await during.shift()?.()
      return answer
    },
    notifyPages: async (url) => void notifiedPaths.push(new URL(url).pathname),
  }))
  const ask = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    await afterwards
    return response.status
  }
  const finish = () => clearDevice(db, { caches, otherTabs: { postMessage: () => {} } })
  const duringNextResponse = (work: () => Promise<unknown>) => void during.push(work)
  const grantIds = async () => (await db.grants.toArray()).map(({ grantId }) => grantId)
  const cachedPaths = async () => {
    const requests = await (await caches.open(catalogueCache)).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  }
  return { db, network, grants, ask, duringNextResponse, finish, grantIds, cachedPaths, notifiedPaths }
}

it('a response after the device was cleared is not stored', async () => {
  const { db, network, ask, duringNextResponse, finish, cachedPaths } = setUp()
  network.setResponse(images, imagesOfAda)
  network.setResponse(availability, availabilityWith('g1'))
  for (const path of [images, availability]) {
    duringNextResponse(finish)
    expect(await ask(path)).toBe(200)
    expect(await db.grants.count()).toBe(0)
    expect(await cachedPaths()).toEqual([])
  }
})

it('grants that arrive between clearing the device and the end of the session are deleted with it', async () => {
  const { db, network, ask, duringNextResponse, finish } = setUp()
  network.setResponse(images, imagesOfAda)
  await finish()
  await ask(images)
  duringNextResponse(() => purgeGrants(db))
  await ask(images)
  expect(await db.grants.count()).toBe(0)
})

it('a response from before a grant was revoked restores neither the grant nor itself', async () => {
  const { network, ask, duringNextResponse, grantIds, cachedPaths, notifiedPaths } = setUp()
  network.setResponse(images, imagesOfAda)
  network.setResponse(availability, availabilityWith('g1', 'g2'))
  await ask(availability)
  duringNextResponse(async () => {
    network.setResponse(availability, availabilityWith('g2'))
    await ask(availability)
  })
  await ask(images)
  expect(await grantIds()).toEqual(['g2'])
  expect(await cachedPaths()).toEqual([availability])
  // A grant that is listed again works like any other.
  network.setResponse(availability, availabilityWith('g1', 'g2'))
  await ask(availability)
  await ask(images)
  expect(await grantIds()).toEqual(['g1', 'g2'])
  expect(await cachedPaths()).toEqual([availability, images])
  expect(notifiedPaths).toEqual([availability, availability])
})

it('a response that arrives while a grant is revoked does not restore it', async () => {
  const { network, grants, ask, grantIds } = setUp()
  network.setResponse(availability, availabilityWith('g1', 'g2'))
  await ask(availability)
  const [recordAll, recordImages] = [await grants.listen(), await grants.listen()]
  const results = await Promise.all([
    recordAll(urlOf(availability), JSON.stringify({ data: availabilityWith('g2') })),
    recordImages(urlOf(images), JSON.stringify({ data: imagesOfAda })),
  ])
  expect(results).toEqual([true, false])
  expect(await grantIds()).toEqual(['g2'])
})

it('withdrawn images are removed at the next contact if the worker was stopped before', async () => {
  const { db, network, ask } = setUp()
  network.setResponse(availability, availabilityWith('g1', 'g2'))
  await ask(availability)
  const withdrawn: string[][] = []
  const worker = (then: () => Promise<void>) =>
    createGrantTracker({
      ...{ db, clock: () => Date.UTC(2027, 4, 1), notifyAllPages: async () => {} },
      withdraw: (grants) => {
        withdrawn.push([...grants])
        return then()
      },
    })
  const sendResponse = async ({ listen }: ReturnType<typeof worker>) =>
    (await listen())(urlOf(availability), JSON.stringify({ data: availabilityWith('g2') }))
  await expect(sendResponse(worker(() => Promise.reject(new Error('stopped'))))).rejects.toThrow('stopped')
  await sendResponse(worker(async () => {}))
  await sendResponse(worker(async () => {}))
  expect(withdrawn).toEqual([['g1'], ['g1']])
})

it('a response requested between two sessions revokes nothing, although it arrives in the new one', async () => {
  const { db, network, ask, duringNextResponse, grantIds } = setUp()
  network.setResponse(availability, availabilityWith('g1'))
  await ask(availability)
  await saveJobAccess(db, 1, { rejection: null, stale: true })
  network.setResponse(availability, availabilityWith())
  duringNextResponse(() => saveJobAccess(db, 1, null))
  await ask(availability)
  expect(await grantIds()).toEqual(['g1'])
  await ask(availability)
  expect(await grantIds()).toEqual([])
})

it('an older list of grants does not replace a newer one', async () => {
  const { network, ask, duringNextResponse, grantIds, cachedPaths } = setUp()
  network.setResponse(availability, availabilityWith('g1'))
  await ask(availability)
  duringNextResponse(async () => {
    network.setResponse(availability, availabilityWith('g2'))
    await ask(availability)
  })
  await ask(availability)
  expect(await grantIds()).toEqual(['g2'])
  expect(await cachedPaths()).toEqual([availability])
})

it('requests are answered although the database cannot be opened', async () => {
  const { db, network, ask, cachedPaths } = setUp()
  network.setResponse(images, imagesOfAda)
  db.close()
  const connectionLost = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(db, 'open').mockRejectedValue(connectionLost)
  expect(await ask(images)).toBe(200)
  expect(await cachedPaths()).toEqual([images])
  opening.mockRestore()
})

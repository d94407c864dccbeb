import { Dexie } from 'dexie'
import { expect, it, vi } from 'vitest'
import { catalogueCache } from '#local/store/cache-names.ts'
import { clearDevice } from '#local/store/clear-device.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { purgeGrants } from '#local/store/purge-grants.ts'
import { createGrantTracker } from '#sw/grant-tracker.ts'
import { origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const availability = '/api/customer/jobs/1/availability'
const adas = [{ thumbnailUrl: '/photos/g1/501/t-1' }]

const open = (...grants: string[]) => ({
  ...{ jobId: 1, studioSlug: 'riverside', studioName: 'Riverside Portraits', jobName: 'Spring' },
  ...{ published: true, archived: false, codeGiven: true },
  prepay: { available: false, opens: null, closes: null },
  gallery: { available: true, opens: null, closes: null },
  grants: grants.map((grantId) => ({ grantId, subjectId: 7 })),
})

const addressOf = (path: string) => new URL(path, origin)

/** A device and its worker's catalogue. `onItsWay`: what happens while the next answer is on its way. */
const bench = () => {
  const during: (() => Promise<unknown>)[] = []
  const told: string[] = []
  const { db, caches, network, grants, catalogue } = workerParts({ tick: 1 }, ({ fetch }) => ({
    fetch: async (request) => {
      const answer = await fetch(request)
      await during.shift()?.()
      return answer
    },
    notifyPages: async (url) => void told.push(new URL(url).pathname),
  }))
  const ask = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    await afterwards
    return response.status
  }
  const finish = () => clearDevice(db, { caches, otherTabs: { postMessage: () => {} } })
  const onItsWay = (work: () => Promise<unknown>) => void during.push(work)
  const known = async () => (await db.grants.toArray()).map(({ grantId }) => grantId)
  const kept = async () => {
    const asked = await (await caches.open(catalogueCache)).keys()
    return asked.map(({ url }) => new URL(url).pathname)
  }
  return { db, network, grants, ask, onItsWay, finish, known, kept, told }
}

it('an answer that comes after the device was finished leaves nothing on it', async () => {
  const { db, network, ask, onItsWay, finish, kept } = bench()
  network.says(images, adas)
  network.says(availability, open('g1'))
  for (const path of [images, availability]) {
    onItsWay(finish)
    expect(await ask(path)).toBe(200)
    expect(await db.grants.count()).toBe(0)
    expect(await kept()).toEqual([])
  }
})

it('what the worker was told between the finishing and the end of the session goes with the session', async () => {
  const { db, network, ask, onItsWay, finish } = bench()
  network.says(images, adas)
  await finish()
  await ask(images)
  onItsWay(() => purgeGrants(db))
  await ask(images)
  expect(await db.grants.count()).toBe(0)
})

it('an answer from before a grant was withdrawn brings back neither the grant nor itself', async () => {
  const { network, ask, onItsWay, known, kept, told } = bench()
  network.says(images, adas)
  network.says(availability, open('g1', 'g2'))
  await ask(availability)
  onItsWay(async () => {
    network.says(availability, open('g2'))
    await ask(availability)
  })
  await ask(images)
  expect(await known()).toEqual(['g2'])
  expect(await kept()).toEqual([availability])
  // Given anew, it is a grant like any other.
  network.says(availability, open('g1', 'g2'))
  await ask(availability)
  await ask(images)
  expect(await known()).toEqual(['g1', 'g2'])
  expect(await kept()).toEqual([availability, images])
  expect(told).toEqual([availability, availability])
})

it('an answer that comes in the moment in which a grant is withdrawn does not bring it back', async () => {
  const { network, grants, ask, known } = bench()
  network.says(availability, open('g1', 'g2'))
  await ask(availability)
  const [hearAll, hearOne] = [await grants.listen(), await grants.listen()]
  const heard = await Promise.all([
    hearAll(addressOf(availability), JSON.stringify({ data: open('g2') })),
    hearOne(addressOf(images), JSON.stringify({ data: adas })),
  ])
  expect(heard).toEqual([true, false])
  expect(await known()).toEqual(['g2'])
})

it('what was withdrawn goes at the next contact where the worker was stopped before it had gone', async () => {
  const { db, network, ask } = bench()
  network.says(availability, open('g1', 'g2'))
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
  const hear = async ({ listen }: ReturnType<typeof worker>) =>
    (await listen())(addressOf(availability), JSON.stringify({ data: open('g2') }))
  await expect(hear(worker(() => Promise.reject(new Error('stopped'))))).rejects.toThrow('stopped')
  await hear(worker(async () => {}))
  await hear(worker(async () => {}))
  expect(withdrawn).toEqual([['g1'], ['g1']])
})

it('an answer that was asked for between two visits withdraws nothing, though it comes in the new one', async () => {
  const { db, network, ask, onItsWay, known } = bench()
  network.says(availability, open('g1'))
  await ask(availability)
  await saveJobAccess(db, 1, { refusal: null, stale: true })
  network.says(availability, open())
  onItsWay(() => saveJobAccess(db, 1, null))
  await ask(availability)
  expect(await known()).toEqual(['g1'])
  await ask(availability)
  expect(await known()).toEqual([])
})

it('an older answer about all grants takes the place of no newer one', async () => {
  const { network, ask, onItsWay, known, kept } = bench()
  network.says(availability, open('g1'))
  await ask(availability)
  onItsWay(async () => {
    network.says(availability, open('g2'))
    await ask(availability)
  })
  await ask(availability)
  expect(await known()).toEqual(['g2'])
  expect(await kept()).toEqual([availability])
})

it('answers though the device’s database is dead', async () => {
  const { db, network, ask, kept } = bench()
  network.says(images, adas)
  db.close()
  const died = new Dexie.UnknownError('Connection to Indexed Database server lost')
  const opening = vi.spyOn(db, 'open').mockRejectedValue(died)
  expect(await ask(images)).toBe(200)
  expect(await kept()).toEqual([images])
  opening.mockRestore()
})

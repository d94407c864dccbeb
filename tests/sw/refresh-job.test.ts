import { expect, it } from 'vitest'
import { saveAccessCode } from '#local/session.ts'
import { catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { refreshJob } from '#sw/refresh-job.ts'
import { origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const brothers = '/api/customer/jobs/1/subjects/8/images'
const packages = '/api/customer/jobs/1/packages?orderMethod=gallery'
const fields = '/api/customer/jobs/1/fields'
const availability = '/api/customer/jobs/1/availability'
const otherEvent = '/api/customer/jobs/12/packages?orderMethod=gallery'

const open = { available: true, opens: null, closes: null }
const event = {
  ...{ jobId: 1, studioSlug: 'riverside', studioName: 'Riverside Portraits', jobName: 'Spring' },
  ...{ published: true, archived: false, prepay: { ...open, available: false }, gallery: open },
}
const toVisit = (...grants: string[]) => ({
  ...{ ...event, codeGiven: true },
  grants: grants.map((grantId) => ({ grantId, subjectId: 7 })),
})
const codeRefused = { problem: 'code-needed', message: 'That code is not good any more' }
const toNobody = { ...event, jobName: '', codeGiven: false, grants: [] }

/** A device that was warm in a visit: the worker's two caches over its database, as the worker wires them. */
const warm = async () => {
  const { db, caches, network, photos, catalogue } = workerParts({ tick: 1 })
  const ask = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    await afterwards
    return await response.json()
  }
  const renew = (...urls: string[]) =>
    refreshJob(1, urls, {
      ...{ caches, askAfresh: catalogue.askAfresh, photo: photos.answer, asset: network.fetch, sparing: false, origin },
    })
  const paths = async (name: string) => {
    const requests = await (await caches.open(name)).keys()
    return requests.map(({ url }) => url.slice(origin.length)).sort()
  }
  for (const path of ['/photos/g1/501/t-1', '/photos/g2/501/t-1']) network.says(path, 'bytes')
  const first = { path: '/photos/g1/501/t-1', grantId: 'g1', imageId: 501 }
  network.says(images, [{ thumbnailUrl: first.path }])
  network.says(brothers, [])
  network.says(packages, ['Package A'])
  network.says(otherEvent, ['Team'])
  network.says(availability, toVisit('g1'))
  for (const path of [images, brothers, packages, otherEvent, availability]) await ask(path)
  await photos.answer(requestFor(first.path), first)
  network.asked.length = 0
  await saveAccessCode(db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' })
  const answers = () => paths(catalogueCache)
  return { db, network, ask, renew, answers, photosKept: () => paths(imageCache) }
}

it('keeps what it has when the server has forgotten the visit', async () => {
  const { network, ask, answers, photosKept } = await warm()
  const before = await answers()
  for (const path of [images, brothers, packages]) network.says(path, null, 401)
  network.says(availability, toNobody)
  for (const path of [images, brothers, packages]) await ask(path)
  expect((await ask(availability)).data.codeGiven).toBe(true)
  network.offline()
  expect((await ask(availability)).data.codeGiven).toBe(true)
  expect((await ask(packages)).data).toEqual(['Package A'])
  expect(await answers()).toEqual(before)
  expect(await photosKept()).toEqual(['/photos/g1/501/t-1'])
})

it.each([
  [
    'stays while its doors are shut for a new visit, whatever is refused',
    { refusal: null, stale: true },
    'grant-needed',
    true,
  ],
  ['stays while its code is kept and was not refused', null, 'code-needed', true],
  ['goes where a person is refused at open doors', null, 'grant-needed', false],
  ['goes once its code was refused', { refusal: codeRefused, stale: false }, 'code-needed', false],
] as const)('what is kept of an event %s', async (_, doors, problem, stays) => {
  const { db, network, ask, answers, photosKept } = await warm()
  await saveJobAccess(db, 1, doors)
  for (const path of [images, packages]) network.says(path, { problem }, 403)
  network.says(availability, problem === 'code-needed' || stays ? toNobody : toVisit())
  for (const path of [images, packages, availability]) await ask(path)
  expect((await answers()).includes(images)).toBe(stays)
  expect((await answers()).includes(packages)).toBe(stays)
  expect(await photosKept()).toHaveLength(stays ? 1 : 0)
})

it('the event’s own facts stay though its code was refused: the cart that waits for another is read between them', async () => {
  const { db, network, ask, answers } = await warm()
  const facts = ['/api/customer/jobs/1', '/api/customer/studios/1/jobs/1/job-preferences']
  for (const path of facts) network.says(path, { name: 'Spring' })
  for (const path of facts) await ask(path)
  await saveJobAccess(db, 1, { refusal: codeRefused, stale: false })
  for (const path of [...facts, images]) network.says(path, { problem: 'code-needed' }, 403)
  for (const path of [...facts, images]) await ask(path)
  expect(await answers()).toEqual(expect.arrayContaining(facts))
  expect(await answers()).not.toContain(images)
})

it('no photo goes while the code was given again and the people were not yet', async () => {
  const { db, network, ask, photosKept } = await warm()
  await saveJobAccess(db, 1, { refusal: null, stale: true })
  network.says(availability, toVisit())
  await ask(availability)
  expect(await photosKept()).toEqual(['/photos/g1/501/t-1'])
  await saveJobAccess(db, 1, null)
  await ask(availability)
  expect(await photosKept()).toEqual([])
})

it('turns away for an event that was closed, though the server has forgotten the visit', async () => {
  const { network, ask, answers } = await warm()
  network.says(availability, { ...toNobody, published: false })
  await ask(availability)
  expect(await answers()).not.toContain(availability)
})

it('asks again in a new visit, gives up what that may not see, and lets no photo go before its like is here', async () => {
  const { network, ask, renew, answers, photosKept } = await warm()
  network.says(images, [{ thumbnailUrl: '/photos/g2/501/t-1' }])
  network.says(brothers, { problem: 'grant-needed' }, 403)
  network.says(packages, ['Package B'])
  network.says(availability, toVisit('g2'))
  network.says(fields, [])
  await renew(packages, fields)
  expect(network.asked.filter((path) => path === packages)).toHaveLength(1)
  expect(network.asked.at(-1)).toBe(availability)
  expect(network.asked.indexOf('/photos/g2/501/t-1')).toBeGreaterThan(0)
  expect(network.asked).not.toContain(otherEvent)
  expect(await photosKept()).toEqual(['/photos/g2/501/t-1'])
  expect(await answers()).toEqual([images, packages, fields, availability, otherEvent].sort())
  network.offline()
  expect((await ask(packages)).data).toEqual(['Package B'])
})

it('keeps the photos it has where the network is gone before their like is here', async () => {
  const { network, renew, photosKept } = await warm()
  network.says(images, [{ thumbnailUrl: '/photos/g2/502/t-1' }])
  network.says(availability, toVisit('g2'))
  await renew()
  expect(network.asked).not.toContain(availability)
  expect(await photosKept()).toEqual(['/photos/g1/501/t-1'])
})

it('keeps what it cannot ask for now', async () => {
  const { network, renew, answers, photosKept } = await warm()
  const before = await answers()
  network.offline()
  await renew()
  expect(await answers()).toEqual(before)
  expect(await photosKept()).toEqual(['/photos/g1/501/t-1'])
})

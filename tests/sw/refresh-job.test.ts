import { expect, it } from 'vitest'
import { saveAccessCode } from '#local/session.ts'
import { catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { saveJobAccess } from '#local/store/job-access.ts'
import { refreshJob } from '#sw/refresh-job.ts'
import { origin, requestFor } from './memory-cache-storage.ts'
import { workerParts } from './worker-fixture.ts'

const images = '/api/customer/jobs/1/subjects/7/images'
const brotherImages = '/api/customer/jobs/1/subjects/8/images'
const packages = '/api/customer/jobs/1/packages?orderMethod=gallery'
const fields = '/api/customer/jobs/1/fields'
const availability = '/api/customer/jobs/1/availability'
const otherJob = '/api/customer/jobs/12/packages?orderMethod=gallery'

const open = { available: true, opens: null, closes: null }
const job = {
  ...{ jobId: 1, studioSlug: 'riverside', studioName: 'Riverside Portraits', jobName: 'Spring' },
  ...{ published: true, archived: false, prepay: { ...open, available: false }, gallery: open },
}
const grantedAvailability = (...grants: string[]) => ({
  ...{ ...job, codeGiven: true },
  grants: grants.map((grantId) => ({ grantId, subjectId: 7 })),
})
const codeRefused = { problem: 'code-needed', message: 'That code is not good any more' }
const deniedAvailability = { ...job, jobName: '', codeGiven: false, grants: [] }

/** A device with a filled cache: the worker's two caches over its database, as the worker wires them. */
const setUp = async () => {
  const { db, caches, network, photos, catalogue } = workerParts({ tick: 1 })
  const ask = async (path: string) => {
    const { response, afterwards } = await catalogue.answer(requestFor(path))
    await afterwards
    return await response.json()
  }
  const refresh = (...urls: string[]) =>
    refreshJob(1, urls, {
      ...{ caches, refetch: catalogue.refetch, image: photos.answer, asset: network.fetch, sparing: false, origin },
    })
  const paths = async (name: string) => {
    const requests = await (await caches.open(name)).keys()
    return requests.map(({ url }) => url.slice(origin.length)).sort()
  }
  for (const path of ['/photos/g1/501/t-1', '/photos/g2/501/t-1']) network.setResponse(path, 'bytes')
  const first = { path: '/photos/g1/501/t-1', grantId: 'g1', imageId: 501 }
  network.setResponse(images, [{ thumbnailUrl: first.path }])
  network.setResponse(brotherImages, [])
  network.setResponse(packages, ['Package A'])
  network.setResponse(otherJob, ['Team'])
  network.setResponse(availability, grantedAvailability('g1'))
  for (const path of [images, brotherImages, packages, otherJob, availability]) await ask(path)
  await photos.answer(requestFor(first.path), first)
  network.requestedPaths.length = 0
  await saveAccessCode(db, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' })
  const cachedUrls = () => paths(catalogueCache)
  return { db, network, ask, refresh, cachedUrls, cachedImages: () => paths(imageCache) }
}

it('cached data stays if the server lost the session', async () => {
  const { network, ask, cachedUrls, cachedImages } = await setUp()
  const before = await cachedUrls()
  for (const path of [images, brotherImages, packages]) network.setResponse(path, null, 401)
  network.setResponse(availability, deniedAvailability)
  for (const path of [images, brotherImages, packages]) await ask(path)
  expect((await ask(availability)).data.codeGiven).toBe(true)
  network.offline()
  expect((await ask(availability)).data.codeGiven).toBe(true)
  expect((await ask(packages)).data).toEqual(['Package A'])
  expect(await cachedUrls()).toEqual(before)
  expect(await cachedImages()).toEqual(['/photos/g1/501/t-1'])
})

it.each([
  [
    'stays while access is not restored in a new session, whatever is denied',
    { rejection: null, stale: true },
    'grant-needed',
    true,
  ],
  ['stays while its code is stored and was not rejected', null, 'code-needed', true],
  ['is removed if a subject is denied although the job is accessible', null, 'grant-needed', false],
  ['is removed once its code was rejected', { rejection: codeRefused, stale: false }, 'code-needed', false],
] as const)('the cached data of a job %s', async (_, access, problem, isKept) => {
  const { db, network, ask, cachedUrls, cachedImages } = await setUp()
  await saveJobAccess(db, 1, access)
  for (const path of [images, packages]) network.setResponse(path, { problem }, 403)
  network.setResponse(availability, problem === 'code-needed' || isKept ? deniedAvailability : grantedAvailability())
  for (const path of [images, packages, availability]) await ask(path)
  expect((await cachedUrls()).includes(images)).toBe(isKept)
  expect((await cachedUrls()).includes(packages)).toBe(isKept)
  expect(await cachedImages()).toHaveLength(isKept ? 1 : 0)
})

it('the job’s own data stays although its code was rejected, because a cart that waits for another code is shown with it', async () => {
  const { db, network, ask, cachedUrls } = await setUp()
  const jobInfoPaths = ['/api/customer/jobs/1', '/api/customer/studios/1/jobs/1/job-preferences']
  for (const path of jobInfoPaths) network.setResponse(path, { name: 'Spring' })
  for (const path of jobInfoPaths) await ask(path)
  await saveJobAccess(db, 1, { rejection: codeRefused, stale: false })
  for (const path of [...jobInfoPaths, images]) network.setResponse(path, { problem: 'code-needed' }, 403)
  for (const path of [...jobInfoPaths, images]) await ask(path)
  expect(await cachedUrls()).toEqual(expect.arrayContaining(jobInfoPaths))
  expect(await cachedUrls()).not.toContain(images)
})

it('no image is removed while the code is restored but the subjects are not', async () => {
  const { db, network, ask, cachedImages } = await setUp()
  await saveJobAccess(db, 1, { rejection: null, stale: true })
  network.setResponse(availability, grantedAvailability())
  await ask(availability)
  expect(await cachedImages()).toEqual(['/photos/g1/501/t-1'])
  await saveJobAccess(db, 1, null)
  await ask(availability)
  expect(await cachedImages()).toEqual([])
})

it('access to a closed job is denied although the server lost the session', async () => {
  const { network, ask, cachedUrls } = await setUp()
  network.setResponse(availability, { ...deniedAvailability, published: false })
  await ask(availability)
  expect(await cachedUrls()).not.toContain(availability)
})

it('a new session refreshes the cache, removes what it may not see, and stores new images before it removes old ones', async () => {
  const { network, ask, refresh, cachedUrls, cachedImages } = await setUp()
  network.setResponse(images, [{ thumbnailUrl: '/photos/g2/501/t-1' }])
  network.setResponse(brotherImages, { problem: 'grant-needed' }, 403)
  network.setResponse(packages, ['Package B'])
  network.setResponse(availability, grantedAvailability('g2'))
  network.setResponse(fields, [])
  await refresh(packages, fields)
  expect(network.requestedPaths.filter((path) => path === packages)).toHaveLength(1)
  expect(network.requestedPaths.at(-1)).toBe(availability)
  expect(network.requestedPaths.indexOf('/photos/g2/501/t-1')).toBeGreaterThan(0)
  expect(network.requestedPaths).not.toContain(otherJob)
  expect(await cachedImages()).toEqual(['/photos/g2/501/t-1'])
  expect(await cachedUrls()).toEqual([images, packages, fields, availability, otherJob].sort())
  network.offline()
  expect((await ask(packages)).data).toEqual(['Package B'])
})

it('images stay if the network is lost before their replacements arrive', async () => {
  const { network, refresh, cachedImages } = await setUp()
  network.setResponse(images, [{ thumbnailUrl: '/photos/g2/502/t-1' }])
  network.setResponse(availability, grantedAvailability('g2'))
  await refresh()
  expect(network.requestedPaths).not.toContain(availability)
  expect(await cachedImages()).toEqual(['/photos/g1/501/t-1'])
})

it('cached data stays if it cannot be refreshed now', async () => {
  const { network, refresh, cachedUrls, cachedImages } = await setUp()
  const before = await cachedUrls()
  network.offline()
  await refresh()
  expect(await cachedUrls()).toEqual(before)
  expect(await cachedImages()).toEqual(['/photos/g1/501/t-1'])
})

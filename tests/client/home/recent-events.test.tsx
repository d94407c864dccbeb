// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecentEvents } from '#client/home/recent-events.tsx'
import { saveAccessCode, saveConfirmedSubject, saveLastOpenedJob } from '#local/session.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { readRecentJobs } from '#local/store/recent-jobs.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { render } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { createCaches } from '#tests/sw/memory-cache-storage.ts'
import { springJobContext } from '../job-context-examples.ts'

const { job, studio } = springJobContext()
const code = { studioSlug: 'riverside', studioId: 4, code: 'SPRING' }

const subjectOf = (id: number, firstName: string, imageThumbnailUrl: string | null = null) => ({
  ...{ id, jobId: 1, firstName, lastName: 'Lovelace', groupName: null, fields: [], imageCount: 1, grantId: 'g' },
  ...{ imageThumbnailUrl, yearBookImageId: null },
})

const storeResponse = async (path: string, data: object) =>
  await (await caches.open(catalogueCache)).put(path, new Response(JSON.stringify({ data })))

beforeEach(async () => {
  await database.delete()
  await database.open()
  vi.stubGlobal('caches', createCaches())
  // Everything is read from the device.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
})
afterEach(() => {
  vi.unstubAllGlobals()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const renderEvents = () => {
  render(<RecentEvents />)
  // Device data arrives asynchronously.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
}
const cards = () =>
  [...document.querySelectorAll('a')].map((card) => [
    [...card.children].map((part) => part.textContent).filter(Boolean),
    card.getAttribute('href'),
    card.querySelector('img')?.getAttribute('src'),
  ])

test('a card names the children opened in an event, and the event, and leads to the only child', async () => {
  await saveAccessCode(database, { ...code, jobId: 1 })
  await saveConfirmedSubject(database, { jobId: 1, subjectId: 7 })
  await storeResponse('/api/customer/jobs/1', job)
  await storeResponse('/api/customer/studios/riverside', studio)
  await storeResponse('/api/customer/jobs/1/subjects/7', subjectOf(7, 'Ada', '/photos/g/1/thumb-a'))
  renderEvents()
  await vi.waitFor(() =>
    expect(cards()).toEqual([
      [['Ada', `${job.name} · ${studio.name}`], '/riverside/1/subject/7/select-package', '/photos/g/1/thumb-a'],
    ]),
  )
})

test('a card with packages says how many and leads to the cart, and is updated', async () => {
  await saveAccessCode(database, { ...code, jobId: 1 })
  for (const [id, name] of [
    [7, 'Ada'],
    [8, 'Ben'],
  ] as const) {
    await saveConfirmedSubject(database, { jobId: 1, subjectId: id })
    await storeResponse(`/api/customer/jobs/1/subjects/${id}`, subjectOf(id, name))
  }
  renderEvents()
  await vi.waitFor(() => expect(cards()).toEqual([[['Ada and Ben', 'riverside'], '/riverside/1/search', undefined]]))
  const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 2, content: noContent }
  await addLine(database, stamp, { jobId: 1, orderMethod: 'gallery', ...line })
  await vi.waitFor(() =>
    expect(cards()).toEqual([[['Ada and Ben', 'riverside', '2 in the cart'], '/riverside/1/cart', undefined]]),
  )
})

test('the event opened last comes first, and a typed-in child is named', async () => {
  await saveAccessCode(database, { ...code, jobId: 2 })
  await saveAccessCode(database, { ...code, code: 'PREPAY', jobId: 3 })
  await database.people.add({ jobId: 2, personId: 'p', firstName: 'Cleo', lastName: '', dataFields: [] })
  await saveLastOpenedJob(database, { studioSlug: 'summit', jobId: 1, studioName: 'Summit Sports' })
  renderEvents()
  await vi.waitFor(() =>
    expect(cards().map(([texts, url]) => [texts, url])).toEqual([
      [['Summit Sports'], '/summit/1/search'],
      [['riverside'], '/riverside/3/search'],
      [['Cleo', 'riverside'], '/riverside/2/subject/-1/select-package'],
    ]),
  )
})

test('a device that opened nothing, and one without Cache Storage, show no error', async () => {
  vi.stubGlobal('caches', undefined)
  renderEvents()
  expect(await readRecentJobs(database, undefined)).toEqual([])
  expect(document.querySelector('section')).toBeNull()
  await saveAccessCode(database, { ...code, jobId: 1 })
  await vi.waitFor(() => expect(cards()).toEqual([[['riverside'], '/riverside/1/search', undefined]]))
})

// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { knownCodeTimeoutMs, redeemAccessCode } from '#client/customer/discovery/studio/redeem-access-code.ts'
import { confirmSubjectAccess } from '#client/customer/discovery/subject-search/confirm-subject-access.ts'
import { database } from '#platform/database.ts'

const nameAndGroup = { firstName: 'Ada', lastName: 'Lovelace', groupName: null }
const ada = {
  id: 7,
  jobId: 1,
  ...nameAndGroup,
  fields: [],
  imageThumbnailUrl: null,
  imageCount: 2,
  grantId: 'g',
  yearBookImageId: null,
}
const redeemedJob = { jobId: 1, studioId: 4, jobName: 'Spring Portraits 2027', subject: null }

let response: object
let workerMessages: unknown[]

beforeEach(async () => {
  await database.delete()
  await database.open()
  workerMessages = []
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: response })))
  const active = { postMessage: (message: unknown) => workerMessages.push(message) }
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { ready: Promise.resolve({ active }), controller: null } })
})

afterEach(() => vi.unstubAllGlobals())

test('a redeemed code is stored with its job and studio', async () => {
  response = redeemedJob
  const entry = { studioSlug: 'riverside', code: 'SPRING', ret: undefined }
  expect(await redeemAccessCode(entry)).toEqual({ ok: true, url: '/riverside/1/search' })
  const { studioSlug, code } = entry
  expect(await database.codes.toArray()).toEqual([{ studioSlug, code, jobId: 1, studioId: 4, subjectId: null }])
})

const createEntry = (code: string) => ({ studioSlug: 'riverside', code, ret: undefined })
const failures: [string, () => Promise<Response>][] = [
  ['the device is offline', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server fails', async () => new Response('', { status: 500 })],
  ['there were too many requests', async () => new Response('', { status: 429 })],
]

test.each(failures)('if %s, a code that was redeemed on this device before opens the same screen', async (_, fetch) => {
  response = redeemedJob
  await redeemAccessCode(createEntry('SPRING'))
  response = { ...redeemedJob, subject: ada }
  await redeemAccessCode(createEntry('ADALVL'))
  vi.stubGlobal('fetch', fetch)
  expect(await redeemAccessCode(createEntry('SPRING'))).toEqual({ ok: true, url: '/riverside/1/search' })
  expect(await redeemAccessCode(createEntry('ADALVL'))).toEqual({
    ok: true,
    url: '/riverside/1/subject/7/select-package',
  })
  expect(await redeemAccessCode({ ...createEntry('SPRING'), studioSlug: 'summit' })).toMatchObject({ ok: false })
})

test('a code that was redeemed before opens within a second although the server does not answer', async () => {
  response = redeemedJob
  await redeemAccessCode(createEntry('SPRING'))
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const startedAt = performance.now()
  expect(await redeemAccessCode(createEntry('SPRING'))).toEqual({ ok: true, url: '/riverside/1/search' })
  expect(performance.now() - startedAt).toBeLessThan(knownCodeTimeoutMs + 500)
})

test('offline, a code that is new to this device reports that it needs a connection', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await redeemAccessCode(createEntry('NEWONE'))).toEqual({
    ok: false,
    message: expect.stringMatching(/Your code stays in the field$/),
  })
})

test('a code that the server rejects opens nothing, even if it was redeemed on this device before', async () => {
  response = redeemedJob
  await redeemAccessCode(createEntry('SPRING'))
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ errors: ['No'] }), { status: 404 }))
  expect(await redeemAccessCode(createEntry('SPRING'))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^We don’t recognize that code/),
  })
})

test.each([
  ['with the preferences of the stored studio', 4, true],
  ['without preferences if no studio is stored', undefined, false],
])('a subject is prefetched for offline use %s', async (_, studioId, isPrefetched) => {
  const code = { studioSlug: 'riverside', jobId: 1, code: 'SPRING', subjectId: null }
  if (studioId) await database.codes.put({ ...code, studioId })
  response = ada
  await confirmSubjectAccess({ studioSlug: 'riverside', jobId: 1 }, { id: 7, proof: 'p' })
  await vi.waitFor(() => expect(workerMessages).toHaveLength(1))
  expect(JSON.stringify(workerMessages).includes('/api/customer/studios/4/jobs/1/job-preferences')).toBe(isPrefetched)
})

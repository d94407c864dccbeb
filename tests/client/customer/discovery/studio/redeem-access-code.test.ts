// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { redeemAccessCode } from '#client/customer/discovery/studio/redeem-access-code.ts'
import { confirmSubjectAccess } from '#client/customer/discovery/subject-search/confirm-subject-access.ts'
import { database } from '#platform/database.ts'

const name = { firstName: 'Ada', lastName: 'Lovelace', groupName: null }
const ada = { id: 7, jobId: 1, ...name, fields: [], imageThumbnailUrl: null, imageCount: 2, grantId: 'g' }
const opened = { jobId: 1, studioId: 4, jobName: 'Spring Portraits 2027', subject: null }

let response: object
let told: unknown[]

beforeEach(async () => {
  await database.delete()
  await database.open()
  told = []
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: response })))
  const active = { postMessage: (message: unknown) => told.push(message) }
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { ready: Promise.resolve({ active }), controller: null } })
})

afterEach(() => vi.unstubAllGlobals())

test('a redeemed code is stored with its job and studio', async () => {
  response = opened
  const wish = { studioSlug: 'riverside', code: 'SPRING', ret: undefined }
  expect(await redeemAccessCode(wish)).toEqual({ ok: true, address: '/riverside/1/search' })
  const { studioSlug, code } = wish
  expect(await database.codes.toArray()).toEqual([{ studioSlug, code, jobId: 1, studioId: 4, subjectId: null }])
})

const wishFor = (code: string) => ({ studioSlug: 'riverside', code, ret: undefined })
const unanswered: [string, () => Promise<Response>][] = [
  ['the device is offline', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server fails', async () => new Response('', { status: 500 })],
  ['there were too many requests', async () => new Response('', { status: 429 })],
]

test.each(unanswered)('while %s, a code redeemed here before leads to what it opened', async (_, fetch) => {
  response = opened
  await redeemAccessCode(wishFor('SPRING'))
  response = { ...opened, subject: ada }
  await redeemAccessCode(wishFor('ADALVL'))
  vi.stubGlobal('fetch', fetch)
  expect(await redeemAccessCode(wishFor('SPRING'))).toEqual({ ok: true, address: '/riverside/1/search' })
  expect(await redeemAccessCode(wishFor('ADALVL'))).toEqual({
    ok: true,
    address: '/riverside/1/subject/7/select-package',
  })
  expect(await redeemAccessCode({ ...wishFor('SPRING'), studioSlug: 'summit' })).toMatchObject({ ok: false })
})

test('offline, a code new to this device says that it needs a connection', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await redeemAccessCode(wishFor('NEWONE'))).toEqual({
    ok: false,
    message: expect.stringMatching(/A code that is new to this phone needs a connection; yours stays in the field$/),
  })
})

test('a code the server rejects opens nothing, even if it was redeemed here before', async () => {
  response = opened
  await redeemAccessCode(wishFor('SPRING'))
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ errors: ['No'] }), { status: 404 }))
  expect(await redeemAccessCode(wishFor('SPRING'))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^This code does/),
  })
})

test.each([
  ['of the stored studio', 4, true],
  ['of no studio if none is stored', undefined, false],
])('a subject is prefetched for offline use with the preferences %s', async (_, studioId, warmed) => {
  const code = { studioSlug: 'riverside', jobId: 1, code: 'SPRING', subjectId: null }
  if (studioId) await database.codes.put({ ...code, studioId })
  response = ada
  await confirmSubjectAccess({ studioSlug: 'riverside', jobId: 1 }, { id: 7 })
  await vi.waitFor(() => expect(told).toHaveLength(1))
  expect(JSON.stringify(told).includes('/api/customer/studios/4/jobs/1/job-preferences')).toBe(warmed)
})

// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { queuedFiles, type UploadTarget } from '#client/staff/studio/images/queued-files.ts'
import { enqueueFiles, removeUploads } from '#client/staff/studio/images/upload-queue.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getUploadStates, type Upload } from '#contract/studio/uploads.ts'
import { type CallResult, unreachable } from '#local/transport/request.ts'

type CallInput = { params: object; query?: { ids: string } }
const announceUploads = vi.hoisted(() => vi.fn<(input: CallInput) => unknown>())
const pollUploads = vi.hoisted(() => vi.fn<(input: CallInput) => unknown>())
vi.mock('#client/staff/kit/query/authorized-request.ts', () => ({
  authorizedRequest: async (call: AnyCall, input: CallInput) =>
    (call === getUploadStates ? pollUploads : announceUploads)(input),
}))

const upload = (state: Upload['state'], overrides: Partial<Upload> = {}): Upload => ({
  ...{ id: 1, key: 'a'.repeat(32), fileName: 'ada.jpg', byteSize: 3, receivedBytes: 3, state, refusal: null },
  ...{ imageId: state === 'processed' ? 7 : null, at: '2027-04-15T12:00:00.000Z' },
  ...overrides,
})
const respondWith = (...data: Upload[]): CallResult<Upload[]> => ({ ok: true, status: 200, data })

const job = { studioId: 1, jobId: 2 }
const enqueueFile = (target: Partial<UploadTarget> = { matchBy: null }) =>
  enqueueFiles([new File(['ada'], 'ada.jpg', { lastModified: 1 })], { ...job, ...target })
const fileStates = () => queuedFiles().map(({ fileName, state, reason }) => [fileName, state, reason])
const pollMs = 1500

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterAll(() => {
  vi.useRealTimers()
})
beforeEach(async () => {
  removeUploads(() => true)
  await vi.advanceTimersByTimeAsync(pollMs)
  announceUploads.mockReset()
  pollUploads.mockReset()
})

test('a finished file that is chosen again is announced again, because its image may have been deleted since', async () => {
  announceUploads.mockReturnValue(respondWith(upload('processed')))
  await enqueueFile()
  expect(fileStates()).toEqual([['ada.jpg', 'done', null]])
  expect(announceUploads).toHaveBeenCalledTimes(1)
  await enqueueFile()
  expect(announceUploads).toHaveBeenCalledTimes(2)
  expect(fileStates()).toEqual([['ada.jpg', 'done', null]])
  // Its image was deleted: the server receives the file a second time and is checking it.
  announceUploads.mockReturnValue(respondWith(upload('received')))
  await enqueueFile()
  expect(fileStates()).toEqual([['ada.jpg', 'checking', null]])
})

test('a file in the queue is announced only once if it is chosen twice', async () => {
  announceUploads.mockReturnValue(respondWith(upload('received')))
  await enqueueFile()
  await enqueueFile()
  expect(queuedFiles()).toHaveLength(1)
  expect(announceUploads).toHaveBeenCalledTimes(1)
})

const rateLimited = { ok: false, status: 429, errors: ['Please wait'], problem: 'slow-down' }

test('a file that is announced during a request limit waits and is announced again', async () => {
  announceUploads.mockReturnValue(rateLimited)
  await enqueueFile()
  expect(fileStates()).toEqual([['ada.jpg', 'waiting', null]])
  announceUploads.mockReturnValue(respondWith(upload('processed')))
  await vi.advanceTimersByTimeAsync(5000)
  expect(fileStates()).toEqual([['ada.jpg', 'done', null]])
  expect(announceUploads).toHaveBeenCalledTimes(2)
})

describe('files that are being checked', () => {
  const poll = async (result: unknown): Promise<void> => {
    pollUploads.mockReturnValue(result)
    await vi.advanceTimersByTimeAsync(pollMs)
  }

  test('are polled by a read until they are processed, and announced only once', async () => {
    announceUploads.mockReturnValue(respondWith(upload('received')))
    await enqueueFile()
    await poll(respondWith(upload('received')))
    await poll(unreachable)
    await poll(rateLimited)
    expect(fileStates()).toEqual([['ada.jpg', 'checking', null]])
    await poll(respondWith(upload('processed')))
    expect(fileStates()).toEqual([['ada.jpg', 'done', null]])
    await poll(respondWith())
    expect(pollUploads.mock.calls).toEqual(Array.from({ length: 4 }, () => [{ params: job, query: { ids: '1' } }]))
    expect(announceUploads).toHaveBeenCalledTimes(1)
  })

  test('show why they were rejected', async () => {
    announceUploads.mockReturnValue(respondWith(upload('received')))
    await enqueueFile()
    await poll(respondWith(upload('refused', { refusal: 'This file is no picture' })))
    expect(fileStates()).toEqual([['ada.jpg', 'refused', 'This file is no picture']])
  })

  test('are read in one request for all owners of a job', async () => {
    announceUploads.mockReturnValueOnce(respondWith(upload('received')))
    await enqueueFile({ subjectId: 5 })
    announceUploads.mockReturnValueOnce(respondWith(upload('received', { id: 2, key: 'b'.repeat(32) })))
    await enqueueFile({ groupId: 6 })
    await poll(respondWith(upload('processed', { id: 2 }), upload('received')))
    expect(pollUploads.mock.calls).toEqual([[{ params: job, query: { ids: '1,2' } }]])
    expect(fileStates().map(([, state]) => state)).toEqual(['checking', 'done'])
  })

  test('are announced again if the server deleted them', async () => {
    announceUploads.mockReturnValue(respondWith(upload('received')))
    await enqueueFile()
    await poll(respondWith())
    expect(announceUploads).toHaveBeenCalledTimes(2)
    expect(fileStates()).toEqual([['ada.jpg', 'checking', null]])
  })

  test('fail with the server’s message if the job was deleted', async () => {
    announceUploads.mockReturnValue(respondWith(upload('received')))
    await enqueueFile()
    await poll({ ok: false, status: 404, errors: ['This job is not there any more'], problem: 'not-found' })
    expect(fileStates()).toEqual([['ada.jpg', 'failed', 'This job is not there any more']])
  })
})

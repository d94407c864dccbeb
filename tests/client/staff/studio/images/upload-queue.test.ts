// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { enqueueFiles, uploadQueue } from '#client/staff/studio/images/upload-queue.ts'
import type { Upload } from '#contract/studio/uploads.ts'
import type { CallResult } from '#local/transport/request.ts'

const announced = vi.hoisted(() => vi.fn<(given: { body: { files: { fileName: string }[] } }) => unknown>())
vi.mock('#client/staff/kit/query/authorized-request.ts', () => ({
  authorizedRequest: async (_call: unknown, given: Parameters<typeof announced>[0]) => announced(given),
}))

const told = (state: Upload['state']): CallResult<Upload[]> => ({
  ok: true,
  status: 200,
  data: [
    {
      ...{ id: 1, key: 'a'.repeat(32), fileName: 'ada.jpg', byteSize: 3, receivedBytes: 3, state, refusal: null },
      ...{ imageId: state === 'processed' ? 7 : null, at: '2027-04-15T12:00:00.000Z' },
    },
  ],
})

const target = { studioId: 1, jobId: 2, matchBy: null }
const choose = () => enqueueFiles([new File(['ada'], 'ada.jpg', { lastModified: 1 })], target)
const states = () => uploadQueue.current().map(({ fileName, state }) => [fileName, state])

beforeEach(() => announced.mockReset())

test('a finished file that is chosen again is announced again, because its image may have been deleted since', async () => {
  announced.mockReturnValue(told('processed'))
  await choose()
  expect(states()).toEqual([['ada.jpg', 'done']])
  expect(announced).toHaveBeenCalledTimes(1)
  await choose()
  expect(announced).toHaveBeenCalledTimes(2)
  expect(states()).toEqual([['ada.jpg', 'done']])
  // Its image was deleted: the server receives the file a second time and is checking it.
  announced.mockReturnValue(told('received'))
  await choose()
  expect(states()).toEqual([['ada.jpg', 'checking']])
})

test('a file in the queue is announced once, however often it is chosen', async () => {
  announced.mockReturnValue(told('received'))
  const before = uploadQueue.current().length
  await choose()
  await choose()
  expect(uploadQueue.current()).toHaveLength(before)
  expect(announced).not.toHaveBeenCalled()
})

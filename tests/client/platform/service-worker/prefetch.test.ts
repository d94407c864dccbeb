// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { prefetchJob, prefetchSubject } from '#platform/service-worker/prefetch.ts'

const job = { studioSlug: 'riverside', studioId: 1, jobId: 12 }

/** The prefetch message to the worker, for a browser that reports this connection. */
const collectMessage = async (connection: object | undefined, prefetch: () => void): Promise<PageToWorkerMessage> => {
  const messages: PageToWorkerMessage[] = []
  const active = { postMessage: (message: PageToWorkerMessage) => messages.push(message) }
  vi.stubGlobal('navigator', { connection, serviceWorker: { ready: Promise.resolve({ active }) } })
  prefetch()
  await vi.waitFor(() => expect(messages).toHaveLength(1))
  return messages[0] as PageToWorkerMessage // length checked above
}

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['asks to save data', { saveData: true }, true],
  ['does not ask to save data', { saveData: false }, false],
  ['does not report whether to save data', {}, false],
  ['reports nothing about its connection', undefined, false],
])('for a device that %s (connection: %o), data is prefetched sparingly: %s', async (_, connection, sparing) => {
  expect(await collectMessage(connection, () => prefetchSubject({ ...job, subjectId: 7 }))).toMatchObject({
    type: 'warm',
    sparing,
  })
  expect(await collectMessage(connection, () => prefetchJob(job))).toMatchObject({ type: 'warm', sparing })
})

test('a browser without a worker gets no prefetch', () => {
  vi.stubGlobal('navigator', {})
  expect(() => prefetchJob(job)).not.toThrow()
})

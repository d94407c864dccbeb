// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { prefetchJob, prefetchSubject } from '#platform/service-worker/prefetch.ts'

const event = { studioSlug: 'riverside', studioId: 1, jobId: 12 }

/** The prefetch message to the worker, for a browser that reports this connection. */
const toldBy = async (connection: object | undefined, warm: () => void): Promise<PageToWorkerMessage> => {
  const told: PageToWorkerMessage[] = []
  const active = { postMessage: (message: PageToWorkerMessage) => told.push(message) }
  vi.stubGlobal('navigator', { connection, serviceWorker: { ready: Promise.resolve({ active }) } })
  warm()
  await vi.waitFor(() => expect(told).toHaveLength(1))
  return told[0] as PageToWorkerMessage // counted above
}

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['asks to save data', { saveData: true }, true],
  ['does not ask to save data', { saveData: false }, false],
  ['does not report that', {}, false],
  ['does not support that setting', undefined, false],
])('a device that %s prefetches a subject’s data: sparingly %o → %s', async (_, connection, sparing) => {
  expect(await toldBy(connection, () => prefetchSubject({ ...event, subjectId: 7 }))).toMatchObject({
    type: 'warm',
    sparing,
  })
  expect(await toldBy(connection, () => prefetchJob(event))).toMatchObject({ type: 'warm', sparing })
})

test('a browser without a worker gets no prefetch', () => {
  vi.stubGlobal('navigator', {})
  expect(() => prefetchJob(event)).not.toThrow()
})

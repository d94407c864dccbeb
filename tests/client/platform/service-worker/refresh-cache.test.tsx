import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { database } from '#platform/database.ts'
import { refreshCache } from '#platform/service-worker/refresh-cache.ts'

const packages = '/api/customer/jobs/1/packages?orderMethod=gallery'
const posted: PageToWorkerMessage[] = []

beforeEach(async () => {
  posted.length = 0
  await database.delete()
  await database.open()
  const active = { postMessage: (message: PageToWorkerMessage) => posted.push(message) }
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve({ active }) } })
})

const refreshJob = async () => {
  await refreshCache(1)
  await vi.waitFor(() => expect(posted).toHaveLength(1))
  const [message] = posted
  if (message?.type !== 'renew') throw new Error('the worker got another message')
  return message
}

const saveSpringCode = () =>
  saveAccessCode(database, { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING' })

test('in a new session a job is fetched again with all its opened subjects', async () => {
  await saveSpringCode()
  await saveConfirmedSubject(database, { jobId: 1, subjectId: 7 })
  await saveConfirmedSubject(database, { jobId: 2, subjectId: 9 })
  const { jobId, urls } = await refreshJob()
  expect(jobId).toBe(1)
  expect(urls).toContain('/api/customer/jobs/1/subjects/7')
  expect(urls).toContain(packages)
  expect(urls.some((url) => url.includes('/jobs/2'))).toBe(false)
  expect(new Set(urls).size).toBe(urls.length)
})

test('in a new session without opened subjects only the job is fetched again', async () => {
  await saveSpringCode()
  const { urls } = await refreshJob()
  expect(urls).toContain(packages)
  expect(urls.filter((url) => url.includes('/subjects/'))).toEqual([])
})

test('in a new session a job without a code refreshes only cached responses', async () => {
  expect(await refreshJob()).toEqual({ type: 'renew', jobId: 1, urls: [], sparing: false })
})

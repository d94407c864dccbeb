import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SubjectSearchScreen } from '#client/customer/discovery/subject-search/subject-search-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { database } from '#platform/database.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

let workerMessages: PageToWorkerMessage[]
let runWhenIdle: (() => void) | null

beforeEach(async () => {
  await database.delete()
  await database.open()
  workerMessages = []
  runWhenIdle = null
  const active = { postMessage: (message: PageToWorkerMessage) => workerMessages.push(message) }
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { ready: Promise.resolve({ active }), controller: null } })
  vi.stubGlobal('requestIdleCallback', (work: () => void) => {
    runWhenIdle = work
    return 1
  })
  vi.stubGlobal('cancelIdleCallback', () => {
    runWhenIdle = null
  })
})

afterEach(() => {
  cleanUp()
  vi.unstubAllGlobals()
})

const openScreen = () =>
  render(
    <JobContext value={springJobContext()}>
      <SubjectSearchScreen studioSlug="riverside" jobId={1} />
    </JobContext>,
  )

test('the search screen prefetches the packages when the browser is idle', async () => {
  openScreen()
  await act(async () => undefined)
  expect(workerMessages).toEqual([])
  runWhenIdle?.()
  await vi.waitFor(() => expect(workerMessages).toHaveLength(1))
  expect(workerMessages[0]).toMatchObject({
    type: 'warm',
    urls: expect.arrayContaining(['/api/customer/jobs/1/packages?orderMethod=gallery']),
  })
})

test('nothing is prefetched for a screen that was left before the browser was idle', async () => {
  openScreen()
  cleanUp()
  expect(runWhenIdle).toBeNull()
})

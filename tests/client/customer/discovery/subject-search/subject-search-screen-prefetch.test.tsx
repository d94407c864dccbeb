import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SubjectSearchScreen } from '#client/customer/discovery/subject-search/subject-search-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { PageToWorkerMessage } from '#local/transport/worker-messages.ts'
import { database } from '#platform/database.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

let told: PageToWorkerMessage[]
let idle: (() => void) | null

beforeEach(async () => {
  await database.delete()
  await database.open()
  told = []
  idle = null
  const active = { postMessage: (message: PageToWorkerMessage) => told.push(message) }
  vi.stubGlobal('navigator', { ...navigator, serviceWorker: { ready: Promise.resolve({ active }), controller: null } })
  vi.stubGlobal('requestIdleCallback', (work: () => void) => {
    idle = work
    return 1
  })
  vi.stubGlobal('cancelIdleCallback', () => {
    idle = null
  })
})

afterEach(() => {
  cleanUp()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <JobContext value={springJobContext()}>
      <SubjectSearchScreen studioSlug="riverside" jobId={1} />
    </JobContext>,
  )

test('while a name is typed, the packages are prefetched when idle', async () => {
  open()
  await act(async () => undefined)
  expect(told).toEqual([])
  idle?.()
  await vi.waitFor(() => expect(told).toHaveLength(1))
  expect(told[0]).toMatchObject({
    type: 'warm',
    urls: expect.arrayContaining(['/api/customer/jobs/1/packages?orderMethod=gallery']),
  })
})

test('nothing is prefetched for a screen that was left before it was idle', async () => {
  open()
  cleanUp()
  expect(idle).toBeNull()
})

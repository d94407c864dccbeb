import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CustomerEvent } from '../../src/client/customer/event.tsx'
import { type EventFacts, loadingFlagMs, useEventFacts } from '../../src/client/customer/use-event-facts.ts'
import { useEventValue } from '../../src/client/customer/use-event-value.ts'
import { local } from '../../src/client/device/local.ts'
import { forgetAnswers } from '../../src/client/device/use-ask.ts'
import { render } from '../support/render.tsx'
import { spring } from './customer-event.ts'

const { studio, job, availability, preferences } = spring()
const shut = { available: false, opens: null, closes: null }

let asked: string[] = []
let known: Record<string, object>
let facts: EventFacts | null
let event: CustomerEvent | null

const answer = async (url: string | URL | Request) => {
  const path = String(url)
  asked.push(path)
  const data = known[path]
  return data
    ? new Response(JSON.stringify({ data }))
    : new Response(JSON.stringify({ errors: ['We could not find this'], problem: 'not-found' }), { status: 404 })
}

const Screens = ({ jobId }: { jobId: number }) => {
  const place = { studioSlug: 'riverside', jobId }
  facts = useEventFacts(place)
  event = useEventValue(place, facts)
  return null
}

const shows = async (look: () => void) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(look).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

beforeEach(async () => {
  await local.delete()
  await local.open()
  asked = []
  facts = null
  event = null
  known = {
    '/api/customer/studios/riverside': studio,
    '/api/customer/jobs/1/availability': availability,
    '/api/customer/jobs/1': job,
    '/api/customer/studios/1/jobs/1/job-preferences': preferences,
    '/api/customer/jobs/2/availability': { ...availability, jobId: 2 },
    '/api/customer/jobs/2': { ...job, id: 2 },
    '/api/customer/studios/1/jobs/2/job-preferences': preferences,
  }
  vi.stubGlobal('fetch', answer)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  forgetAnswers()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('an event is asked for once for its studio and job, however often its screens are drawn', async () => {
  const { again } = render(<Screens jobId={1} />)
  await shows(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={1} />)
  again(<Screens jobId={1} />)
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  expect(asked).toContain('/api/customer/jobs/1')
})

test('another job is asked for by itself, and shows nothing of the one before', async () => {
  const { again } = render(<Screens jobId={1} />)
  await shows(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={2} />)
  expect(facts?.job).toBeUndefined()
  expect(event).toBeNull()
  await shows(() => expect(event?.job.id).toBe(2))
})

test('without a job id the job is gone', async () => {
  const { again } = render(<Screens jobId={1} />)
  await shows(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={Number.NaN} />)
  expect([facts?.job, facts?.availability, event]).toEqual([undefined, undefined, null])
})

test('the loading flag clears 1000 ms after the screens have begun', () => {
  vi.useFakeTimers()
  expect(loadingFlagMs).toBe(1000)
  render(<Screens jobId={1} />)
  act(() => void vi.advanceTimersByTime(999))
  expect(facts?.loading).toBe(true)
  act(() => void vi.advanceTimersByTime(1))
  expect(facts?.loading).toBe(false)
  // What the screens asked for arrives now, with nobody here to wait for it.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
})

test('a missing order method is warned of, and the screens go on with a cart to look at', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  known['/api/customer/jobs/1/availability'] = { ...availability, gallery: shut, prepay: shut }
  render(<Screens jobId={1} />)
  await shows(() => expect(event?.orderMethod).toBe('gallery'))
  expect(event?.closed).toBe('Ordering has ended')
  expect(warn.mock.calls).toEqual([['Job 1: missing order method: neither prepay nor gallery is open']])
})

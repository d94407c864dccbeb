import 'fake-indexeddb/auto'
import { liveQuery } from 'dexie'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { useJobContextValue } from '#client/app/customer-layout/use-job-context-value.ts'
import { type JobData, loadingFlagMs, useJobData } from '#client/app/customer-layout/use-job-data.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { readOrderMethod } from '#local/store/chosen-order-method.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { cleanUp, render, waitForPage } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const { studio, job, availability, preferences } = springJobContext()
const shut = { available: false, opens: null, closes: null }

let asked: string[] = []
let known: Record<string, object>
let jobData: JobData | null
let event: JobContextValue | null

const answer = async (url: string | URL | Request) => {
  const path = String(url)
  asked.push(path)
  const data = known[path]
  return data
    ? new Response(JSON.stringify({ data }))
    : new Response(JSON.stringify({ errors: ['We could not find this'], problem: 'not-found' }), { status: 404 })
}

const Screens = ({ jobId }: { jobId: number }) => {
  const route = { studioSlug: 'riverside', jobId }
  jobData = useJobData(route)
  event = useJobContextValue(route, jobData)
  return null
}

let elsewhere: JobContextValue | null

/** The same job in another tab: it shares only what the device stores. */
const OtherTab = () => {
  const route = { studioSlug: 'riverside', jobId: 1 }
  elsewhere = useJobContextValue(route, useJobData(route))
  return null
}

/** Resolves once the live queries of every tab have read the stored order method. */
const heard = (orderMethod: OrderMethod) =>
  new Promise<void>((resolve) => {
    const stored = liveQuery(() => readOrderMethod(database, 1)).subscribe((method) => {
      if (method !== orderMethod) return
      stored.unsubscribe()
      resolve()
    })
  })

beforeEach(async () => {
  await database.delete()
  await database.open()
  asked = []
  jobData = null
  event = null
  elsewhere = null
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
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('a job is requested once per studio and job, however often its screens render', async () => {
  const { again } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={1} />)
  again(<Screens jobId={1} />)
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  expect(asked).toContain('/api/customer/jobs/1')
})

const preferencesOf = (studioId: number) => `/api/customer/studios/${studioId}/jobs/1/job-preferences`
const spring1 = { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING', subjectId: null }

test('preferences are requested with the studio stored with the code, without waiting for the studio call', async () => {
  await database.codes.put(spring1)
  delete known['/api/customer/studios/riverside']
  render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobData?.preferences).toEqual(preferences))
  expect(jobData?.studio).toBeUndefined()
  expect(asked).toContain(preferencesOf(1))
})

test('another job is requested separately and shows no data of the previous job', async () => {
  const { again } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={2} />)
  expect(jobData?.job).toBeUndefined()
  expect(event).toBeNull()
  await waitForPage(() => expect(event?.job.id).toBe(2))
})

test('without a job id no job is shown', async () => {
  const { again } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={Number.NaN} />)
  expect([jobData?.job, jobData?.availability, event]).toEqual([undefined, undefined, null])
})

test('the loading flag clears 1000 ms after the first screen of the job', () => {
  vi.useFakeTimers()
  expect(loadingFlagMs).toBe(1000)
  render(<Screens jobId={1} />)
  act(() => void vi.advanceTimersByTime(999))
  expect(jobData?.loading).toBe(true)
  act(() => void vi.advanceTimersByTime(1))
  expect(jobData?.loading).toBe(false)
  // Pending responses arrive now, outside of `act`.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
})

test('a missing order method logs a warning and the screens continue with a readable cart', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  known['/api/customer/jobs/1/availability'] = { ...availability, gallery: shut, prepay: shut }
  render(<Screens jobId={1} />)
  await waitForPage(() => expect(event?.orderMethod).toBe('gallery'))
  expect(event?.closed).toBe('Ordering has ended')
  expect(warn.mock.calls).toEqual([['Job 1: missing order method: neither prepay nor gallery is open']])
})

describe('the order method of a job with both methods open', () => {
  const open = { available: true, opens: null, closes: null }

  beforeEach(() => {
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: open }
    known['/api/customer/jobs/2/availability'] = { ...availability, jobId: 2, prepay: open, gallery: open }
  })

  /** Reloads the page: only stored data remains. */
  const reload = async (jobId = 1) => {
    cleanUp()
    clearQueryCache()
    event = null
    render(<Screens jobId={jobId} />)
    await waitForPage(() => expect(event?.job.id).toBe(jobId))
  }

  const choosePrepay = async () => {
    render(<Screens jobId={1} />)
    await waitForPage(() => expect(event?.orderMethod).toBe('gallery'))
    event?.chooseOrderMethod('prepay')
    await waitForPage(() => expect(event?.orderMethod).toBe('prepay'))
  }

  test('is the one the customer chose, also after a reload with an empty cart', async () => {
    await choosePrepay()
    await reload()
    expect(event?.orderMethod).toBe('prepay')
  })

  test('is chosen per job', async () => {
    await choosePrepay()
    await reload(2)
    expect(event?.orderMethod).toBe('gallery')
  })

  test('changes when the chosen method closes', async () => {
    await choosePrepay()
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: shut, gallery: open }
    await reload()
    expect(event?.orderMethod).toBe('gallery')
  })

  test('is chosen per tab: another tab keeps its own method', async () => {
    render(<Screens jobId={1} />)
    render(<OtherTab />)
    await waitForPage(() => expect([event?.orderMethod, elsewhere?.orderMethod]).toEqual(['gallery', 'gallery']))
    const written = heard('prepay')
    event?.chooseOrderMethod('prepay')
    await written
    await waitForPage(() => expect(event?.orderMethod).toBe('prepay'))
    expect(elsewhere?.orderMethod).toBe('gallery')
    const writtenElsewhere = heard('gallery')
    elsewhere?.chooseOrderMethod('gallery')
    await writtenElsewhere
    expect([event?.orderMethod, elsewhere?.orderMethod]).toEqual(['prepay', 'gallery'])
  })

  test('is the stored choice in a page opened later', async () => {
    await choosePrepay()
    await waitForPage(async () => expect(await readOrderMethod(database, 1)).toBe('prepay'))
    render(<OtherTab />)
    await waitForPage(() => expect(elsewhere?.orderMethod).toBe('prepay'))
  })

  test('is that of the cart filled on this device, even if another would be the default by now', async () => {
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: shut }
    render(<Screens jobId={1} />)
    await waitForPage(() => expect(event?.orderMethod).toBe('prepay'))
    const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
    expect(await addLine(database, stamp, { jobId: 1, orderMethod: 'prepay', ...line })).toMatchObject({ ok: true })
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: open }
    jobData?.refetch()
    await waitForPage(() => expect(event?.availability.gallery.available).toBe(true))
    expect(event?.orderMethod).toBe('prepay')
  })

  test('can be chosen although storing it fails, which the customer is informed of', async () => {
    const noRoom = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    database.device.hook('creating', noRoom)
    onTestFinished(() => database.device.hook('creating').unsubscribe(noRoom))
    await choosePrepay()
    await waitForPage(() => expect(toastLog.current().at(-1)?.text).toContain('no room left'))
    expect(await readOrderMethod(database, 1)).toBeNull()
  })
})

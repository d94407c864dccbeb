import 'fake-indexeddb/auto'
import { liveQuery } from 'dexie'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { useJobContextValue } from '#client/app/customer-layout/use-job-context-value.ts'
import { type JobData, loadingFlagMs, useJobData } from '#client/app/customer-layout/use-job-data.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { readOrderMethod } from '#local/store/device-entries.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { cleanUp, render, waitForPage } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { toastLog } from '#ui/toast/toast.ts'

const { studio, job, availability, preferences } = springJobContext()
const closedMethod = { available: false, opens: null, closes: null }

let requestedPaths: string[] = []
let dataByPath: Record<string, object>
let jobData: JobData | null
let jobContext: JobContextValue | null

const fetchStub = async (url: string | URL | Request) => {
  const path = String(url)
  requestedPaths.push(path)
  const data = dataByPath[path]
  return data
    ? new Response(JSON.stringify({ data }))
    : new Response(JSON.stringify({ errors: ['We could not find this'], problem: 'not-found' }), { status: 404 })
}

const Screens = ({ jobId }: { jobId: number }) => {
  const route = { studioSlug: 'riverside', jobId }
  jobData = useJobData(route)
  jobContext = useJobContextValue(route, jobData)
  return null
}

let otherTabContext: JobContextValue | null

/** The same job in another tab: it shares only what the device stores. */
const OtherTab = () => {
  const route = { studioSlug: 'riverside', jobId: 1 }
  otherTabContext = useJobContextValue(route, useJobData(route))
  return null
}

/** Resolves once the live queries of every tab have read the stored order method. */
const orderMethodStored = (orderMethod: OrderMethod) =>
  new Promise<void>((resolve) => {
    const subscription = liveQuery(() => readOrderMethod(database, 1)).subscribe((method) => {
      if (method !== orderMethod) return
      subscription.unsubscribe()
      resolve()
    })
  })

beforeEach(async () => {
  await database.delete()
  await database.open()
  requestedPaths = []
  jobData = null
  jobContext = null
  otherTabContext = null
  dataByPath = {
    '/api/customer/studios/riverside': studio,
    '/api/customer/jobs/1/availability': availability,
    '/api/customer/jobs/1': job,
    '/api/customer/studios/1/jobs/1/job-preferences': preferences,
    '/api/customer/jobs/2/availability': { ...availability, jobId: 2 },
    '/api/customer/jobs/2': { ...job, id: 2 },
    '/api/customer/studios/1/jobs/2/job-preferences': preferences,
  }
  vi.stubGlobal('fetch', fetchStub)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('a job is requested once per studio and job, however often its screens render', async () => {
  const { rerender } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobContext?.job.id).toBe(1))
  rerender(<Screens jobId={1} />)
  rerender(<Screens jobId={1} />)
  expect(requestedPaths.toSorted()).toEqual([...new Set(requestedPaths)].toSorted())
  expect(requestedPaths).toContain('/api/customer/jobs/1')
})

const preferencesOf = (studioId: number) => `/api/customer/studios/${studioId}/jobs/1/job-preferences`
const springCode = { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING', subjectId: null }

test('preferences are requested with the studio id stored with the code, without waiting for the studio call', async () => {
  await database.codes.put(springCode)
  delete dataByPath['/api/customer/studios/riverside']
  render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobData?.preferences).toEqual(preferences))
  expect(jobData?.studio).toBeUndefined()
  expect(requestedPaths).toContain(preferencesOf(1))
})

test('another job is requested separately and shows no data of the previous job', async () => {
  const { rerender } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobContext?.job.id).toBe(1))
  rerender(<Screens jobId={2} />)
  expect(jobData?.job).toBeUndefined()
  expect(jobContext).toBeNull()
  await waitForPage(() => expect(jobContext?.job.id).toBe(2))
})

test('without a job id no job is shown', async () => {
  const { rerender } = render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobContext?.job.id).toBe(1))
  rerender(<Screens jobId={Number.NaN} />)
  expect([jobData?.job, jobData?.availability, jobContext]).toEqual([undefined, undefined, null])
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
  dataByPath['/api/customer/jobs/1/availability'] = { ...availability, gallery: closedMethod, prepay: closedMethod }
  render(<Screens jobId={1} />)
  await waitForPage(() => expect(jobContext?.orderMethod).toBe('gallery'))
  expect(jobContext?.closedReason).toBe('Ordering has ended')
  expect(warn.mock.calls).toEqual([['Job 1: missing order method: neither prepay nor gallery is open']])
})

describe('the order method of a job with both methods open', () => {
  const openMethod = { available: true, opens: null, closes: null }

  beforeEach(() => {
    dataByPath['/api/customer/jobs/1/availability'] = { ...availability, prepay: openMethod, gallery: openMethod }
    dataByPath['/api/customer/jobs/2/availability'] = {
      ...availability,
      jobId: 2,
      prepay: openMethod,
      gallery: openMethod,
    }
  })

  /** Reloads the page: only stored data remains. */
  const reload = async (jobId = 1) => {
    cleanUp()
    clearQueryCache()
    jobContext = null
    render(<Screens jobId={jobId} />)
    await waitForPage(() => expect(jobContext?.job.id).toBe(jobId))
  }

  const choosePrepay = async () => {
    render(<Screens jobId={1} />)
    await waitForPage(() => expect(jobContext?.orderMethod).toBe('gallery'))
    jobContext?.switchOrderMethod('prepay')
    await waitForPage(() => expect(jobContext?.orderMethod).toBe('prepay'))
  }

  test('is the one the customer chose, also after a reload with an empty cart', async () => {
    await choosePrepay()
    await reload()
    expect(jobContext?.orderMethod).toBe('prepay')
  })

  test('is chosen per job', async () => {
    await choosePrepay()
    await reload(2)
    expect(jobContext?.orderMethod).toBe('gallery')
  })

  test('changes when the chosen method closes', async () => {
    await choosePrepay()
    dataByPath['/api/customer/jobs/1/availability'] = { ...availability, prepay: closedMethod, gallery: openMethod }
    await reload()
    expect(jobContext?.orderMethod).toBe('gallery')
  })

  test('is chosen per tab: another tab keeps its own method', async () => {
    render(<Screens jobId={1} />)
    render(<OtherTab />)
    await waitForPage(() =>
      expect([jobContext?.orderMethod, otherTabContext?.orderMethod]).toEqual(['gallery', 'gallery']),
    )
    const storedPrepay = orderMethodStored('prepay')
    jobContext?.switchOrderMethod('prepay')
    await storedPrepay
    await waitForPage(() => expect(jobContext?.orderMethod).toBe('prepay'))
    expect(otherTabContext?.orderMethod).toBe('gallery')
    const storedGallery = orderMethodStored('gallery')
    otherTabContext?.switchOrderMethod('gallery')
    await storedGallery
    expect([jobContext?.orderMethod, otherTabContext?.orderMethod]).toEqual(['prepay', 'gallery'])
  })

  test('is the stored choice in a page opened later', async () => {
    await choosePrepay()
    await waitForPage(async () => expect(await readOrderMethod(database, 1)).toBe('prepay'))
    render(<OtherTab />)
    await waitForPage(() => expect(otherTabContext?.orderMethod).toBe('prepay'))
  })

  test('is that of the cart on this device, even if another method has become the default', async () => {
    dataByPath['/api/customer/jobs/1/availability'] = { ...availability, prepay: openMethod, gallery: closedMethod }
    render(<Screens jobId={1} />)
    await waitForPage(() => expect(jobContext?.orderMethod).toBe('prepay'))
    const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
    expect(await addLine(database, stamp, { jobId: 1, orderMethod: 'prepay', ...line })).toMatchObject({ ok: true })
    dataByPath['/api/customer/jobs/1/availability'] = { ...availability, prepay: openMethod, gallery: openMethod }
    jobData?.refetch()
    await waitForPage(() => expect(jobContext?.availability.gallery.available).toBe(true))
    expect(jobContext?.orderMethod).toBe('prepay')
  })

  test('can be chosen even if storing it fails, which a toast reports', async () => {
    const failWrite = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    database.device.hook('creating', failWrite)
    onTestFinished(() => database.device.hook('creating').unsubscribe(failWrite))
    await choosePrepay()
    await waitForPage(() => expect(toastLog.current().at(-1)?.text).toContain('out of space'))
    expect(await readOrderMethod(database, 1)).toBeNull()
  })
})

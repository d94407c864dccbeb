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
import { cleanUp, render } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'
import { springJobContext } from '../../job-context-examples.ts'

const { studio, job, availability, preferences } = springJobContext()
const shut = { available: false, opens: null, closes: null }

let asked: string[] = []
let known: Record<string, object>
let facts: JobData | null
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
  const place = { studioSlug: 'riverside', jobId }
  facts = useJobData(place)
  event = useJobContextValue(place, facts)
  return null
}

let elsewhere: JobContextValue | null

/** The same event in another tab: it shares what the device keeps, and nothing else. */
const OtherTab = () => {
  const place = { studioSlug: 'riverside', jobId: 1 }
  elsewhere = useJobContextValue(place, useJobData(place))
  return null
}

/** Resolves once the live queries of every tab have heard of the order method that was written down. */
const heard = (orderMethod: OrderMethod) =>
  new Promise<void>((resolve) => {
    const stored = liveQuery(() => readOrderMethod(database, 1)).subscribe((method) => {
      if (method !== orderMethod) return
      stored.unsubscribe()
      resolve()
    })
  })

const shows = async (look: () => void) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(look).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

beforeEach(async () => {
  await database.delete()
  await database.open()
  asked = []
  facts = null
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

test('an event is asked for once for its studio and job, however often its screens are drawn', async () => {
  const { again } = render(<Screens jobId={1} />)
  await shows(() => expect(event?.job.id).toBe(1))
  again(<Screens jobId={1} />)
  again(<Screens jobId={1} />)
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  expect(asked).toContain('/api/customer/jobs/1')
})

const preferencesOf = (studioId: number) => `/api/customer/studios/${studioId}/jobs/1/job-preferences`
const spring1 = { studioSlug: 'riverside', studioId: 1, jobId: 1, code: 'SPRING', subjectId: null }

test('the studio kept with the code is enough to ask for the preferences: they do not wait for the studio', async () => {
  await database.codes.put(spring1)
  delete known['/api/customer/studios/riverside']
  render(<Screens jobId={1} />)
  await shows(() => expect(facts?.preferences).toEqual(preferences))
  expect(facts?.studio).toBeUndefined()
  expect(asked).toContain(preferencesOf(1))
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

describe('where both ways to order are open', () => {
  const open = { available: true, opens: null, closes: null }

  beforeEach(() => {
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: open }
    known['/api/customer/jobs/2/availability'] = { ...availability, jobId: 2, prepay: open, gallery: open }
  })

  /** The page is loaded anew: only what the device keeps is still there. */
  const reload = async (jobId = 1) => {
    cleanUp()
    clearQueryCache()
    event = null
    render(<Screens jobId={jobId} />)
    await shows(() => expect(event?.job.id).toBe(jobId))
  }

  const choosePrepay = async () => {
    render(<Screens jobId={1} />)
    await shows(() => expect(event?.orderMethod).toBe('gallery'))
    event?.chooseOrderMethod('prepay')
    await shows(() => expect(event?.orderMethod).toBe('prepay'))
  }

  test('the one the customer chose is theirs after a reload too, though nothing is in the cart', async () => {
    await choosePrepay()
    await reload()
    expect(event?.orderMethod).toBe('prepay')
  })

  test('it is chosen for this event only', async () => {
    await choosePrepay()
    await reload(2)
    expect(event?.orderMethod).toBe('gallery')
  })

  test('it gives way once it has closed', async () => {
    await choosePrepay()
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: shut, gallery: open }
    await reload()
    expect(event?.orderMethod).toBe('gallery')
  })

  test('it is chosen in this tab only: another one goes on as it began, and has a choice of its own', async () => {
    render(<Screens jobId={1} />)
    render(<OtherTab />)
    await shows(() => expect([event?.orderMethod, elsewhere?.orderMethod]).toEqual(['gallery', 'gallery']))
    const written = heard('prepay')
    event?.chooseOrderMethod('prepay')
    await written
    await shows(() => expect(event?.orderMethod).toBe('prepay'))
    expect(elsewhere?.orderMethod).toBe('gallery')
    const writtenElsewhere = heard('gallery')
    elsewhere?.chooseOrderMethod('gallery')
    await writtenElsewhere
    expect([event?.orderMethod, elsewhere?.orderMethod]).toEqual(['prepay', 'gallery'])
  })

  test('a page that is opened later begins with it', async () => {
    await choosePrepay()
    await shows(async () => expect(await readOrderMethod(database, 1)).toBe('prepay'))
    render(<OtherTab />)
    await shows(() => expect(elsewhere?.orderMethod).toBe('prepay'))
  })

  test('it is the one of the cart that is filled here, though another would be chosen by now', async () => {
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: shut }
    render(<Screens jobId={1} />)
    await shows(() => expect(event?.orderMethod).toBe('prepay'))
    const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
    expect(await addLine(database, stamp, { jobId: 1, orderMethod: 'prepay', ...line })).toMatchObject({ ok: true })
    known['/api/customer/jobs/1/availability'] = { ...availability, prepay: open, gallery: open }
    facts?.refetch()
    await shows(() => expect(event?.availability.gallery.available).toBe(true))
    expect(event?.orderMethod).toBe('prepay')
  })

  test('it is chosen here though the phone cannot keep it, and the customer is told so', async () => {
    const noRoom = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    database.device.hook('creating', noRoom)
    onTestFinished(() => database.device.hook('creating').unsubscribe(noRoom))
    await choosePrepay()
    await shows(() => expect(toastLog.current().at(-1)?.text).toContain('no room left'))
    expect(await readOrderMethod(database, 1)).toBeNull()
  })
})

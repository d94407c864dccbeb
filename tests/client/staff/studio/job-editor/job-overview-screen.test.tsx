import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { StudioContext, type StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import { JobOverviewScreen } from '#client/staff/studio/job-editor/job-overview-screen.tsx'
import { render } from '#support/rendering/render.tsx'

const openMethod = { available: true, opens: null, closes: null }
const job = {
  ...{ id: 12, name: 'Spring', organizationId: 5, organizationName: 'Lincoln', eventDate: null, code: 'SPRING' },
  ...{ state: 'open', version: { major: 3, minor: 0 }, settingsVersion: 1, publishedAt: null, archivedAt: null },
  ...{ rspoJob: true, importedData: true, prepaySettings: { importedData: true }, packageSetId: 1 },
  availability: { published: true, archived: false, prepay: openMethod, gallery: openMethod },
  gallerySettings: { enableYearBookPoseSelection: false, isYearBookPoseSelectionExpired: false },
  ...{ parentPath: null, timeZone: 'America/New_York', hasOrders: false },
}
const shoot = { jobName: 'Spring', groups: [], stations: [], newest: [] }
const createOverview = (images: number) => ({
  progress: { subjects: 30, withImages: 0, ordered: 0, images, unmatchedImages: 0 },
  orders: { total: 0, totalCents: 0, placed: 0, batched: 0, awaitingPoses: 0 },
  ...{ checks: [], workflow: null },
})

const studio: StudioSummary = {
  ...{ id: 3, name: 'Riverside', slug: 'riverside', timeZone: 'America/New_York', isMillersVerified: true },
  features: new Set(),
}

beforeEach(() => {
  vi.useFakeTimers()
  const claims = btoa(JSON.stringify({ nameid: '7', permission: 'studio.crud', studio_id: 3, exp: 4_000_000_000 }))
  localStorage.setItem('authToken', `h.${claims}.s`)
  localStorage.setItem('refreshToken', 'r1')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  queryClient.clear()
})

const renderOverview = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <StudioContext value={studio}>
        <JobOverviewScreen studioId={3} jobId={12} />
      </StudioContext>
    </QueryClientProvider>,
  ).box

const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a job is published as it is now, although it was changed on another screen since it was shown', async () => {
  const draft = { ...job, state: 'draft', availability: { ...job.availability, published: false } }
  let settingsVersion = 1
  const publishedVersions: number[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (url.endsWith('/publish')) publishedVersions.push(JSON.parse(String(body)).version)
    const data = url.endsWith('/overview') ? createOverview(4) : { ...draft, settingsVersion }
    return new Response(JSON.stringify({ data }), { status: 200 })
  })
  const box = renderOverview()
  await passTime(100)
  settingsVersion = 2
  const publish = [...box.querySelectorAll('button')].find(({ textContent }) => textContent === 'Publish')
  act(() => publish?.click())
  await passTime(100)
  expect(publishedVersions).toEqual([2])
})

test('the job overview polls for images, the job’s state and the shoot progress', async () => {
  let [images, state] = [4, 'open']
  vi.stubGlobal('fetch', async (url: string) => {
    const data = url.endsWith('/overview')
      ? createOverview(images)
      : url.endsWith('/shoot')
        ? { ...shoot, counts: { waiting: 30, photographed: images, absent: 0, retake: 0 } }
        : { ...job, state }
    return new Response(JSON.stringify({ data }), { status: 200 })
  })
  const box = renderOverview()
  await passTime(100)
  expect(box.textContent).toContain('4 images')
  // The shoot is requested after the first response.
  await passTime(100)
  expect(box.textContent).toContain('People photographed4 of 34')
  images = 9
  state = 'closed'
  await passTime(10_000)
  expect(box.textContent).toContain('9 images')
  expect(box.textContent).toContain('People photographed9 of 39')
  expect(box.textContent).toContain('Closed')
})

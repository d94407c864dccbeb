import { act } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import {
  breadcrumbs,
  jobResponse,
  linkTargets,
  staffScreenAt,
  stubStaffServer,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'

const organization = {
  ...{ id: 5, name: 'Lincoln Elementary', type: 'school', phone: '', email: '', website: '', note: '' },
  ...{ jobCount: 1, archivedAt: null, version: 1 },
}
const row = {
  ...{ id: 12, name: 'Spring', organizationId: 5, organizationName: 'Lincoln Elementary', organizationType: 'school' },
  ...{ eventDate: null, code: 'SPRING', state: 'open', prepay: true, gallery: true },
  ...{ subjects: 3, withImages: 2, orders: 1, createdAt: '2027-04-15T10:00:00.000Z' },
}
const page = { resultItems: [row], currentPage: 1, pageSize: 50, totalRecords: 1 }

let features: string[] = []
/** Id of the job's organization. */
let jobOrganizationId = 5

beforeEach(() => {
  features = ['rspoJob']
  jobOrganizationId = 5
})

const responseDataFor = (path: string): unknown => {
  if (path.endsWith('/jobs')) return page
  if (path.endsWith('/organizations/5')) return organization
  if (path.endsWith('/jobs/12')) return { ...jobResponse, organizationId: jobOrganizationId }
  return undefined
}

const requestedUrls = stubStaffServer(responseDataFor, () => features)

const currentStudioLink = () => document.querySelector('nav[aria-label="Studio"] [aria-current="page"]')?.textContent
const tabs = () =>
  [...document.querySelectorAll('nav[aria-label="Lincoln Elementary"] a')].map((link) => link.textContent)

const base = '/admin/studios/3'
const studioTrail = [`Studio 3 ${base}`]
const organizationTrail = [
  ...studioTrail,
  `Organizations ${base}/organizations`,
  `Lincoln Elementary ${base}/organizations/5/overview`,
]

describe('job lists (section 2, studio admin and organization editor)', () => {
  test.each([
    ['jobs', 'jobs', {}, [...studioTrail, 'Jobs'], 'jobs/12'],
    ['prepay', 'jobs', { prepay: '1' }, [...studioTrail, 'Prepay'], 'jobs/12'],
    ['galleries', 'jobs', { galleries: '1' }, [...studioTrail, 'Galleries'], 'jobs/12'],
    [
      'organizations/5/prepay',
      'organizations/5/jobs',
      { prepay: '1' },
      [...organizationTrail, 'Prepay'],
      'organizations/5/jobs/12',
    ],
    [
      'organizations/5/gallery',
      'organizations/5/jobs',
      { galleries: '1' },
      [...organizationTrail, 'Gallery'],
      'organizations/5/jobs/12',
    ],
    ['organizations/5/jobs', 'organizations/5/jobs', {}, [...organizationTrail, 'Jobs'], 'organizations/5/jobs/12'],
  ])('%s lists its jobs with links to each', async (path, call, expectedFilters, trail, jobPath) => {
    render(staffScreenAt(`${base}/${path}`))
    await waitUntil(() => expect(linkTargets('Spring')).toEqual([`${base}/${jobPath}`]))
    const listRequests = requestedUrls.filter(({ pathname }) => pathname === `/api/studioadmin/studios/3/${call}`)
    const [{ searchParams = new URLSearchParams() } = {}] = listRequests
    const filters = Object.fromEntries([...searchParams].filter(([name]) => name === 'prepay' || name === 'galleries'))
    expect([listRequests.length, filters]).toEqual([1, expectedFilters])
    expect(breadcrumbs()).toEqual(trail)
    expect(currentStudioLink()).toBe(path.startsWith('organizations') ? 'Organizations' : trail.at(-1))
  })

  test('without the feature for jobs of organizations the tab is hidden and jobs open below the studio', async () => {
    features = []
    render(staffScreenAt(`${base}/organizations/5/prepay`))
    await waitUntil(() => expect(linkTargets('Spring')).toEqual([`${base}/jobs/12`]))
    expect(tabs()).toEqual(['Overview', 'Prepay', 'Gallery'])
  })

  test('a feature that was added to the studio appears after a refetch (section 4)', async () => {
    features = []
    render(staffScreenAt(`${base}/organizations/5/prepay`))
    await waitUntil(() => expect(tabs()).toEqual(['Overview', 'Prepay', 'Gallery']))
    features = ['rspoJob']
    await act(() => queryClient.invalidateQueries())
    await waitUntil(() => expect(tabs()).toEqual(['Overview', 'Prepay', 'Gallery', 'Jobs']))
    expect(linkTargets('Spring')).toEqual([`${base}/organizations/5/jobs/12`])
  })
})

describe('breadcrumbs of a job (section 2, job editor)', () => {
  test.each([
    ['the studio', `${base}/jobs/12`, [...studioTrail, `Jobs ${base}/jobs`], 'Jobs'],
    [
      'its organization',
      `${base}/organizations/5/jobs/12`,
      [...organizationTrail, `Jobs ${base}/organizations/5/jobs`],
      'Organizations',
    ],
  ])('they lead back through %s, as in the address', async (_, address, trail, currentLink) => {
    render(staffScreenAt(`${address}/settings`))
    await waitUntil(() => expect(breadcrumbs()).toEqual([...trail, `Spring ${address}`, 'Settings']))
    expect(currentStudioLink()).toBe(currentLink)
    cleanUp()
    render(staffScreenAt(`${address}/images?subjectId=4`))
    await waitUntil(() => expect(breadcrumbs()).toContain(`Images ${address}/images`))
  })
})

test.each([
  ['', 'Overview'],
  ['settings/gallery', 'Settings'],
  ['packages', 'Packages'],
  ['packages/greenscreens', 'Packages'],
  ['greenscreens', 'Packages'],
  ['package-sets/8', 'Packages'],
  ['orders/batch', 'Orders'],
  ['orders/camera-cards', 'Camera cards'],
])('the job’s navigation marks the section of %j', async (path, section) => {
  features = ['greenscreens']
  render(staffScreenAt(`${base}/jobs/12/${path}`))
  const currentSection = () => document.querySelector('nav[aria-label="Spring"] [aria-current="page"]')?.textContent
  await waitUntil(() => expect(currentSection()).toBe(section))
})

test('an open job that moves to another organization stays open below the new one', async () => {
  const { rerender } = render(staffScreenAt(`${base}/organizations/5/jobs/12/settings/general?from=mail`))
  await waitUntil(() => expect(breadcrumbs()).toContain(`Spring ${base}/organizations/5/jobs/12`))
  jobOrganizationId = 6
  await act(() => queryClient.invalidateQueries())
  const newJobUrl = `${base}/organizations/6/jobs/12`
  await waitUntil(() => expect(location.pathname + location.search).toBe(`${newJobUrl}/settings/general?from=mail`))
  rerender(staffScreenAt(location.pathname + location.search))
  await waitUntil(() => expect(breadcrumbs()).toContain(`Spring ${newJobUrl}`))
})

test('a studio is refetched when its id changes (section 4)', async () => {
  const { rerender } = render(staffScreenAt(`${base}/jobs`))
  await waitUntil(() => expect(linkTargets('Spring')).toEqual([`${base}/jobs/12`]))
  expect(breadcrumbs()).toEqual([...studioTrail, 'Jobs'])
  rerender(staffScreenAt('/admin/studios/4/jobs'))
  await waitUntil(() => expect(linkTargets('Spring')).toEqual(['/admin/studios/4/jobs/12']))
  expect(breadcrumbs()).toEqual(['Studio 4 /admin/studios/4', 'Jobs'])
  const studioRequests = requestedUrls.filter(({ pathname }) => /\/studios\/\d+(\/features)?$/.test(pathname))
  expect(studioRequests.map(({ pathname }) => pathname.replace('/api/studioadmin/studios/', '')).toSorted()).toEqual([
    ...['3', '3/features', '4', '4/features'],
  ])
})

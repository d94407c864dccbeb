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
let jobIn = 5

beforeEach(() => {
  features = ['rspoJob']
  jobIn = 5
})

const answerOf = (path: string): unknown => {
  if (path.endsWith('/jobs')) return page
  if (path.endsWith('/organizations/5')) return organization
  if (path.endsWith('/jobs/12')) return { ...jobResponse, organizationId: jobIn }
  return undefined
}

const asked = stubStaffServer(answerOf, () => features)

const chosen = () => document.querySelector('nav[aria-label="Studio"] [aria-current="page"]')?.textContent
const tabs = () =>
  [...document.querySelectorAll('nav[aria-label="Lincoln Elementary"] a')].map((one) => one.textContent)

const base = '/admin/studios/3'
const above = [`Studio 3 ${base}`]
const ofOrganization = [
  ...above,
  `Organizations ${base}/organizations`,
  `Lincoln Elementary ${base}/organizations/5/overview`,
]

describe('job lists (section 2, studio admin and organization editor)', () => {
  test.each([
    ['jobs', 'jobs', {}, [...above, 'Jobs'], 'jobs/12'],
    ['prepay', 'jobs', { prepay: '1' }, [...above, 'Prepay'], 'jobs/12'],
    ['galleries', 'jobs', { galleries: '1' }, [...above, 'Galleries'], 'jobs/12'],
    [
      'organizations/5/prepay',
      'organizations/5/jobs',
      { prepay: '1' },
      [...ofOrganization, 'Prepay'],
      'organizations/5/jobs/12',
    ],
    [
      'organizations/5/gallery',
      'organizations/5/jobs',
      { galleries: '1' },
      [...ofOrganization, 'Gallery'],
      'organizations/5/jobs/12',
    ],
    ['organizations/5/jobs', 'organizations/5/jobs', {}, [...ofOrganization, 'Jobs'], 'organizations/5/jobs/12'],
  ])('%s lists its jobs with links to each', async (tail, call, wanted, trail, to) => {
    render(staffScreenAt(`${base}/${tail}`))
    await waitUntil(() => expect(linkTargets('Spring')).toEqual([`${base}/${to}`]))
    const lists = asked.filter(({ pathname }) => pathname === `/api/studioadmin/studios/3/${call}`)
    const [{ searchParams = new URLSearchParams() } = {}] = lists
    const ways = Object.fromEntries([...searchParams].filter(([name]) => name === 'prepay' || name === 'galleries'))
    expect([lists.length, ways]).toEqual([1, wanted])
    expect(breadcrumbs()).toEqual(trail)
    expect(chosen()).toBe(tail.startsWith('organizations') ? 'Organizations' : trail.at(-1))
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
    ['the studio', `${base}/jobs/12`, [...above, `Jobs ${base}/jobs`], 'Jobs'],
    [
      'its organization',
      `${base}/organizations/5/jobs/12`,
      [...ofOrganization, `Jobs ${base}/organizations/5/jobs`],
      'Organizations',
    ],
  ])('they lead back through %s, as in the address', async (_, address, trail, place) => {
    render(staffScreenAt(`${address}/settings`))
    await waitUntil(() => expect(breadcrumbs()).toEqual([...trail, `Spring ${address}`, 'Settings']))
    expect(chosen()).toBe(place)
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
])('the job’s navigation marks the section of %j', async (tail, section) => {
  features = ['greenscreens']
  render(staffScreenAt(`${base}/jobs/12/${tail}`))
  const current = () => document.querySelector('nav[aria-label="Spring"] [aria-current="page"]')?.textContent
  await waitUntil(() => expect(current()).toBe(section))
})

test('an open job that moves to another organization stays open below the new one', async () => {
  const { again } = render(staffScreenAt(`${base}/organizations/5/jobs/12/settings/general?from=mail`))
  await waitUntil(() => expect(breadcrumbs()).toContain(`Spring ${base}/organizations/5/jobs/12`))
  jobIn = 6
  await act(() => queryClient.invalidateQueries())
  const moved = `${base}/organizations/6/jobs/12`
  await waitUntil(() => expect(location.pathname + location.search).toBe(`${moved}/settings/general?from=mail`))
  again(staffScreenAt(location.pathname + location.search))
  await waitUntil(() => expect(breadcrumbs()).toContain(`Spring ${moved}`))
})

test('a studio is refetched when its id changes (section 4)', async () => {
  const { again } = render(staffScreenAt(`${base}/jobs`))
  await waitUntil(() => expect(linkTargets('Spring')).toEqual([`${base}/jobs/12`]))
  expect(breadcrumbs()).toEqual([...above, 'Jobs'])
  again(staffScreenAt('/admin/studios/4/jobs'))
  await waitUntil(() => expect(linkTargets('Spring')).toEqual(['/admin/studios/4/jobs/12']))
  expect(breadcrumbs()).toEqual(['Studio 4 /admin/studios/4', 'Jobs'])
  const read = asked.filter(({ pathname }) => /\/studios\/\d+(\/features)?$/.test(pathname))
  expect(read.map(({ pathname }) => pathname.replace('/api/studioadmin/studios/', '')).toSorted()).toEqual([
    ...['3', '3/features', '4', '4/features'],
  ])
})

import { expect, test } from 'vitest'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'
import {
  breadcrumbs,
  jobResponse,
  linkTargets,
  staffScreenAt,
  stubStaffServer,
  tableCells,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const updatedAt = '2027-04-15T10:00:00.000Z'
const packageSet = {
  ...{ id: 8, name: 'School', description: '', isArchived: false, version: 1 },
  ...{ packageCount: 1, addOnCount: 1, jobCount: 1, updatedAt },
}
const keepsake = {
  ...{ id: 21, packageSetId: 8, packageSetName: 'School', name: 'Keepsake print', altName: 'Package A' },
  ...{ retailCost: 19.5, addonType: 'standard', itemCount: 3, itemNames: ['8×10 print', '5×7 print'] },
  ...{ offeredPrepay: true, offeredGallery: true, isArchived: false, position: 1, version: 1, updatedAt },
}
const wallets = {
  ...keepsake,
  ...{ id: 22, name: 'Wallets', altName: null, retailCost: 6, addonType: 'addon_standard', itemCount: 1 },
  ...{ itemNames: ['8 billfolds'], offeredPrepay: false },
}
const page = { resultItems: [keepsake, wallets], currentPage: 1, pageSize: 50, totalRecords: 2 }

const requestedUrls = stubStaffServer(
  (path) => {
    if (path.endsWith('/packages/21')) return { outcome: 'removed' }
    if (path.endsWith('/packages')) return page
    if (path.endsWith('/package-sets/8')) return packageSet
    if (path.endsWith('/package-sets')) return [packageSet]
    if (path.endsWith('/package-set')) return { packageSetId: 8, name: 'School', isArchived: false, version: 1 }
    return path.endsWith('/jobs/12') ? { ...jobResponse, packageSetId: 8 } : undefined
  },
  () => ['rspoJob'],
)

const studioUrl = '/admin/studios/3'
const studioCrumb = `Studio 3 ${studioUrl}`
const packageRows = [
  ['Package A', '$19.50', 'Package', '8×10 print, 5×7 print and 1 more', 'Always'],
  ['Wallets', '$6.00', 'Add-on', '8 billfolds', 'In the gallery'],
]

test('the studio’s package list shows the packages of all sets with links to each package and its set', async () => {
  render(staffScreenAt(`${studioUrl}/packages`))
  await waitUntil(() => expect(tableCells()).toEqual(packageRows.map((cells) => [...cells, 'School', ''])))
  expect(breadcrumbs()).toEqual([studioCrumb, 'Packages'])
  const setUrl = `${studioUrl}/pkg-set-mgmt/8/packages`
  expect([linkTargets('Package A'), linkTargets('Wallets'), linkTargets('School')]).toEqual([
    [`${setUrl}/21`],
    [`${setUrl}/22`],
    [setUrl, setUrl],
  ])
})

test('adding a package to a studio asks for its set and opens the editor', async () => {
  render(staffScreenAt(`${studioUrl}/packages`))
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
  click(getButton('Add a package'))
  await waitUntil(() => expect(getElement<HTMLSelectElement>('form select').value).toBe('8'))
  click(getButton('Continue'))
  await waitUntil(() => expect(location.pathname).toBe(`${studioUrl}/pkg-set-mgmt/8/packages/new`))
})

test('a package is removed from the studio’s list by its menu after a confirmation', async () => {
  render(
    <>
      {staffScreenAt(`${studioUrl}/packages`)}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
  click(getElement('button[aria-label="Actions for Keepsake print"]'))
  await waitUntil(() => expect(getButton('Remove')).toBeDefined())
  click(getButton('Remove'))
  await waitUntil(() => expect(document.body.textContent).toContain('Remove “Keepsake print”?'))
  expect(requestedUrls.some(({ pathname }) => pathname.endsWith('/packages/21'))).toBe(false)
  const promptButtons = [...getElement('[role="alertdialog"]').querySelectorAll('button')]
  expect(promptButtons.map(({ textContent }) => textContent?.trim())).toContain('Remove')
  for (const button of promptButtons) if (button.textContent?.trim() === 'Remove') click(button)
  await waitUntil(() => expect(requestedUrls.some(({ pathname }) => pathname.endsWith('/packages/21'))).toBe(true))
})

test.each([
  ['the studio', `${studioUrl}/jobs/12`, [`Jobs ${studioUrl}/jobs`]],
  [
    'its organization',
    `${studioUrl}/organizations/5/jobs/12`,
    [
      ...[`Organizations ${studioUrl}/organizations`, `Lincoln Elementary ${studioUrl}/organizations/5/overview`],
      `Jobs ${studioUrl}/organizations/5/jobs`,
    ],
  ],
])('the links and breadcrumbs of a job’s package set continue the path through %s', async (_, jobUrl, parentCrumbs) => {
  render(staffScreenAt(`${jobUrl}/package-sets/8`))
  await waitUntil(() => expect(linkTargets('Package A')).toEqual([`${jobUrl}/package-sets/8/packages/21`]))
  expect(breadcrumbs()).toEqual([
    studioCrumb,
    ...parentCrumbs,
    `Spring ${jobUrl}`,
    `Packages ${jobUrl}/packages`,
    'School',
  ])
})

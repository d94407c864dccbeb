import { expect, test } from 'vitest'
import { click, getElement, press, render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, tableCells, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const updatedAt = '2027-04-15T10:00:00.000Z'
const packageSet = {
  ...{ id: 8, name: 'School', description: '', isArchived: false, version: 1 },
  ...{ packageCount: 2, addOnCount: 0, jobCount: 1, updatedAt },
}
const packages = [21, 22].map((id) => ({
  ...{ id, packageSetId: 8, packageSetName: 'School', name: `Package ${id}`, altName: null, retailCost: 19.5 },
  ...{ addonType: 'standard', itemCount: 1, itemNames: ['8×10 print'], offeredPrepay: true, offeredGallery: true },
  ...{ isArchived: false, position: id, version: 1, updatedAt },
}))

let isOrderLoaded = true
const requestedUrls = stubStaffServer((path) => {
  if (path.endsWith('/package-sets/8')) return packageSet
  if (!path.endsWith('/packages')) return undefined
  // The whole order is read without parameters, and the visible rows by page.
  if (requestedUrls.at(-1)?.search === '' && !isOrderLoaded) return undefined
  return { resultItems: packages, currentPage: 1, pageSize: 50, totalRecords: 2 }
})

const moveItems = () =>
  [...document.querySelectorAll('[role="menuitem"]')].flatMap((item) =>
    item.textContent?.startsWith('Move') ? [[item.textContent, item.getAttribute('aria-disabled') === 'true']] : [],
  )

test.each([
  ['cannot be moved before the whole order is loaded', false, [true, true]],
  ['can be moved down and not up if it is the first', true, [true, false]],
])('a package of a set %s', async (_, isLoaded, [isUpDisabled, isDownDisabled]) => {
  isOrderLoaded = isLoaded
  render(staffScreenAt('/admin/studios/3/pkg-set-mgmt/8/packages'))
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
  click(getElement('button[aria-label="Actions for Package 21"]'))
  await waitUntil(() =>
    expect(moveItems()).toEqual([
      ['Move up', isUpDisabled],
      ['Move down', isDownDisabled],
    ]),
  )
  press('Escape')
})

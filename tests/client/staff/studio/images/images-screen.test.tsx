import { expect, test } from 'vitest'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const picture = {
  ...{ id: 31, fileName: 'a.jpg', kind: 'hosted-individual', subjectId: null, groupId: null, ownerName: null },
  ...{ state: 'ready', refusal: null, matchedBy: null, width: 2400, height: 3000, byteSize: 1000, hasAlpha: false },
  ...{ cutOut: 'none', isPrimary: false, isPublished: false, position: 1, takenAt: null, version: 1 },
  ...{ uploadedAt: '2027-04-15T10:00:00.000Z', thumbnailUrl: null, previewUrl: null, cutOutUrl: null },
}
const counts = {
  ...{ all: 1, unmatched: 1, subjects: 0, groups: 0, refused: 0, processing: 0, 'cut-outs': 0, unpublished: 1 },
  withdrawn: 0,
}
const chosen = { id: 1, userId: 7, buildMaximumCropperSize: 200, buildImagesPerRow: 4, useDarkMode: false }

let preferences: typeof chosen | undefined
let listed: object[] = [picture]
stubStaffServer((path) => {
  if (path.endsWith('/account/preferences')) return preferences
  if (path.endsWith('/imagelookups'))
    return { resultItems: listed, currentPage: 1, pageSize: 50, totalRecords: listed.length }
  if (path.endsWith('/imagelookup-counts')) return counts
  if (path.endsWith('/imagelookup-match')) return { run: null }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test.each([
  ['the user’s preference', chosen, '4'],
  ['six while the preferences are not loaded', undefined, '6'],
])('images per row: %s (section 3, user preferences)', async (_, liked, perRow) => {
  preferences = liked
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  const grid = () => document.querySelector<HTMLElement>('main ul[aria-label="Pictures"]')
  await waitUntil(() => expect(grid()?.style.getPropertyValue('--images-per-row')).toBe(perRow))
  expect(grid()?.children).toHaveLength(1)
})

test('selected images that are all published can be withdrawn together, and any other selection is published', async () => {
  listed = [31, 32, 33].map((id) => ({ ...picture, id, fileName: `${id}.jpg`, isPublished: id !== 33 }))
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  await waitUntil(() => expect(document.querySelectorAll('main ul[aria-label="Pictures"] > li')).toHaveLength(3))
  const selection = () => getElement('[aria-label="What is selected"]').textContent
  click(getButton('Select 31.jpg'))
  click(getButton('Select 32.jpg'))
  expect(selection()).toContain('Withdraw')
  expect(selection()).not.toContain('Publish')
  click(getButton('Select 33.jpg'))
  expect(selection()).toContain('Publish')
  expect(selection()).not.toContain('Withdraw')
  listed = [picture]
})

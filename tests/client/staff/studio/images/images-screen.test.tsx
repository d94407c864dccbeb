import { expect, test } from 'vitest'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const image = {
  ...{ id: 31, fileName: 'a.jpg', kind: 'hosted-individual', subjectId: null, groupId: null, ownerName: null },
  ...{ state: 'ready', refusal: null, matchedBy: null, width: 2400, height: 3000, byteSize: 1000, hasAlpha: false },
  ...{ cutOut: 'none', isPrimary: false, isPublished: false, position: 1, takenAt: null, version: 1 },
  ...{ uploadedAt: '2027-04-15T10:00:00.000Z', thumbnailUrl: null, previewUrl: null, cutOutUrl: null },
}
const counts = {
  ...{ all: 1, unmatched: 1, subjects: 0, groups: 0, refused: 0, processing: 0, 'cut-outs': 0, unpublished: 1 },
  withdrawn: 0,
}
const userPreferences = { id: 1, userId: 7, buildMaximumCropperSize: 200, buildImagesPerRow: 4, useDarkMode: false }

let preferences: typeof userPreferences | undefined
let serverImages: object[] = [image]
const requestedUrls = stubStaffServer((path, method) => {
  if (method === 'DELETE')
    return Response.json(
      { errors: ['This image was chosen for the yearbook'], problem: 'image-chosen' },
      { status: 422 },
    )
  if (path.endsWith('/imagelookups/31')) return image
  if (path.endsWith('/account/preferences')) return preferences
  if (path.endsWith('/imagelookups'))
    return { resultItems: serverImages, currentPage: 1, pageSize: 50, totalRecords: serverImages.length }
  if (path.endsWith('/imagelookup-counts')) return counts
  if (path.endsWith('/imagelookup-match')) return { run: null }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test.each([
  ['the user’s preference', userPreferences, '4'],
  ['six while the preferences are not loaded', undefined, '6'],
])('the number of images per row is %s (section 3, user preferences)', async (_, responsePreferences, perRow) => {
  preferences = responsePreferences
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  const grid = () => document.querySelector<HTMLElement>('main ul[aria-label="Images"]')
  await waitUntil(() => expect(grid()?.style.getPropertyValue('--images-per-row')).toBe(perRow))
  expect(grid()?.children).toHaveLength(1)
})

test('a selection of published images can be withdrawn, and any other selection published', async () => {
  serverImages = [31, 32, 33].map((id) => ({ ...image, id, fileName: `${id}.jpg`, isPublished: id !== 33 }))
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  await waitUntil(() => expect(document.querySelectorAll('main ul[aria-label="Images"] > li')).toHaveLength(3))
  const selection = () => getElement('[aria-label="Selection"]').textContent
  click(getButton('Select 31.jpg'))
  click(getButton('Select 32.jpg'))
  expect(selection()).toContain('Withdraw')
  expect(selection()).not.toContain('Publish')
  click(getButton('Select 33.jpg'))
  expect(selection()).toContain('Publish')
  expect(selection()).not.toContain('Withdraw')
  serverImages = [image]
})

test('an image chosen for the yearbook is deleted only after a second confirmation that says so', async () => {
  render(
    <>
      {staffScreenAt('/admin/studios/3/jobs/12/images')}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => click(getButton('Open a.jpg, Not matched')))
  await waitUntil(() => click(getButton('Delete')))
  const deletions = () =>
    requestedUrls.filter(({ pathname }) => pathname.endsWith('/imagelookups/31')).map(({ search }) => search)
  const question = () => document.querySelector('[role="alertdialog"]')
  const confirmWhenAsked = async (text: string) => {
    await waitUntil(() => expect(question()?.textContent).toContain(text))
    const button = [...(question()?.querySelectorAll('button') ?? [])].find(
      ({ textContent }) => textContent?.trim() === 'Delete',
    )
    if (!button) throw new Error('the dialog has no button to confirm')
    click(button)
  }
  await confirmWhenAsked('You can’t undo this')
  await waitUntil(() => expect(question()?.textContent).toContain('This image was chosen for the yearbook'))
  expect(deletions()).not.toContain('?evenIfChosen=1')
  await confirmWhenAsked('This image was chosen for the yearbook. Customers who chose it must choose again.')
  await waitUntil(() => expect(deletions()).toContain('?evenIfChosen=1'))
})

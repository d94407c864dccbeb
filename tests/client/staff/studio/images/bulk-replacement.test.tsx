import { expect, test } from 'vitest'
import { click, fire, getButton, getElement, render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { toastLog } from '#ui/toast/toast.ts'

const images = Array.from({ length: 21 }, (_, index) => ({
  ...{ id: index + 1, fileName: `${index + 1}.jpg`, kind: 'hosted-individual', subjectId: null, groupId: null },
  ...{ ownerName: null, state: 'ready', refusal: null, matchedBy: null, width: 2400, height: 3000, byteSize: 1000 },
  ...{ hasAlpha: false, cutOut: 'none', isPrimary: false, isPublished: false, position: 1, takenAt: null, version: 1 },
  ...{ uploadedAt: '2027-04-15T10:00:00.000Z', thumbnailUrl: null, previewUrl: null, cutOutUrl: null },
}))
const counts = {
  ...{ all: 21, unmatched: 21, subjects: 0, groups: 0, refused: 0, processing: 0, 'cut-outs': 0, unpublished: 21 },
  withdrawn: 0,
}

let sentForms = 0
stubStaffServer((path) => {
  if (path.endsWith('/bulk-replace')) {
    sentForms += 1
    if (sentForms > 1) return Response.json({ errors: ['The disk is full'] }, { status: 422 })
    return images.slice(0, 20).map(({ id }) => ({
      ...{ imageId: id, newImageId: id === 1 ? null : 100 + id },
      problem: id === 1 ? '1.jpg is not an image' : null,
    }))
  }
  if (path.endsWith('/imagelookups')) return { resultItems: images, currentPage: 1, pageSize: 50, totalRecords: 21 }
  if (path.endsWith('/imagelookup-counts')) return counts
  if (path.endsWith('/imagelookup-match')) return { run: null }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test('a bulk replacement whose second request fails shows the results of the first and keeps the selection', async () => {
  render(
    <>
      {staffScreenAt('/admin/studios/3/jobs/12/images')}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => expect(document.querySelectorAll('main ul[aria-label="Images"] > li')).toHaveLength(21))
  for (const { fileName } of images) click(getButton(`Select ${fileName}`))
  const input = getElement<HTMLInputElement>('input[aria-label="Replacement images"]')
  Object.defineProperty(input, 'files', { value: images.map(({ fileName }) => new File(['a'], fileName)) })
  fire(input, new Event('change', { bubbles: true }))
  await waitUntil(() => click(getButton('Replace')))
  await waitUntil(() => expect(sentForms).toBe(2))
  await waitUntil(() =>
    expect(toastLog.current().map(({ text }) => text)).toEqual([
      'The disk is full',
      '1.jpg is not an image',
      '19 images replaced',
    ]),
  )
  expect(getElement('[aria-label="Selection"]').textContent).toContain('21 selected')
})

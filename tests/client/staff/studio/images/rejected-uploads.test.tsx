import { expect, test } from 'vitest'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const counts = {
  ...{ all: 0, unmatched: 0, subjects: 0, groups: 0, refused: 2, processing: 0, 'cut-outs': 0, unpublished: 0 },
  withdrawn: 0,
}
const createRejectedUpload = (id: number, fileName: string, refusal: string) => ({
  ...{
    id,
    key: `${id}`.repeat(32),
    fileName,
    byteSize: 40,
    receivedBytes: 40,
    state: 'refused',
    refusal,
    imageId: null,
  },
  at: '2027-04-15T10:00:00.000Z',
})
const files = [
  createRejectedUpload(1, 'drawing.jpg', 'This is an SVG file. Save it as JPEG, PNG or WebP'),
  createRejectedUpload(2, 'broken.jpg', 'This image is damaged or incomplete. Choose it again'),
]
const page = <Item,>(resultItems: Item[]) => ({
  resultItems,
  currentPage: 1,
  pageSize: 50,
  totalRecords: resultItems.length,
})

let serverFiles = files
const requestedUrls = stubStaffServer((path) => {
  if (path.endsWith('/imagelookups')) return page([])
  if (path.endsWith('/imagelookup-counts')) return { ...counts, refused: serverFiles.length }
  if (path.endsWith('/imagelookup-match')) return { run: null }
  if (path.endsWith('/uploads')) return page(serverFiles)
  if (/\/uploads\/\d+$/.test(path)) {
    serverFiles = serverFiles.filter(({ id }) => !path.endsWith(`/${id}`))
    return {}
  }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test('rejected files are listed with their reason and can be dismissed', async () => {
  serverFiles = files
  render(staffScreenAt('/admin/studios/3/jobs/12/images?show=refused'))
  const listTexts = () =>
    [...document.querySelectorAll('ul[aria-label="Rejected files"] li')].map((item) => item.textContent)
  await waitUntil(() => expect(listTexts()).toHaveLength(2))
  expect(listTexts()[0]).toContain('drawing.jpg')
  expect(listTexts()[0]).toContain('This is an SVG file. Save it as JPEG, PNG or WebP')
  expect(document.body.textContent).not.toContain('No images here')
  const listRequests = requestedUrls.filter(({ pathname }) => pathname.endsWith('/uploads'))
  expect(listRequests[0]?.searchParams.get('state')).toBe('refused')
  click(getButton('Remove drawing.jpg from the list'))
  await waitUntil(() => expect(listTexts()).toHaveLength(1))
  click(getButton('Remove broken.jpg from the list'))
  await waitUntil(() => expect(document.body.textContent).toContain('No images here'))
})

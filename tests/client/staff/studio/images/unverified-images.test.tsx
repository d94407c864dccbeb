import { expect, test } from 'vitest'
import { imagesNeedVerification } from '#domain/studio/publish-checks.ts'
import { render } from '#support/rendering/render.tsx'
import {
  jobResponse,
  staffScreenAt,
  stubStaffServer,
  studioResponse,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'

const counts = {
  ...{ all: 2, unmatched: 0, subjects: 2, groups: 0, refused: 0, processing: 0, 'cut-outs': 0, unpublished: 2 },
  withdrawn: 0,
}

let isVerified = false
stubStaffServer((path) => {
  if (/\/studios\/\d+$/.test(path)) return { ...studioResponse(3), isMillersVerified: isVerified }
  if (path.endsWith('/imagelookups')) return { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
  if (path.endsWith('/imagelookup-counts')) return counts
  if (path.endsWith('/imagelookup-match')) return { run: null }
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})

test.each([
  ['not verified see who can see published photos', false, 1],
  ['verified see no such notice', true, 0],
])('staff of a studio that is %s', async (_, studioIsVerified, noticeCount) => {
  isVerified = studioIsVerified
  render(staffScreenAt('/admin/studios/3/jobs/12/images?show=unpublished'))
  await waitUntil(() => expect(document.body.textContent).toContain('Publish all 2'))
  expect(document.body.textContent?.split(imagesNeedVerification)).toHaveLength(noticeCount + 1)
})

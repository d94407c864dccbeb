import { expect, test } from 'vitest'
import { withIdsInPath } from '#client/app/staff/query-ids.ts'

test.each([
  ['/admin/studios/jobs?studioId=1', '/admin/studios/1/jobs'],
  ['/admin/studios/jobs/overview?studioId=1&jobId=12', '/admin/studios/1/jobs/12/overview'],
  ['/admin/studios/1/jobs/orders/batch?jobId=12&page=2', '/admin/studios/1/jobs/12/orders/batch?page=2'],
  ['/admin/studios/organizations/jobs?studioId=1&organizationId=5', '/admin/studios/1/organizations/5/jobs'],
  ['/admin/studios/1/jobs?jobId=12', '/admin/studios/1/jobs?jobId=12'],
  ['/admin/studios?studioId=1', '/admin/studios?studioId=1'],
  ['/admin/studios/jobs?studioId=abc', '/admin/studios/jobs?studioId=abc'],
  ['/admin/studios/2/jobs?studioId=1', '/admin/studios/2/jobs?studioId=1'],
  ['/login?ret=%2Fadmin', '/login?ret=%2Fadmin'],
])('the staff URL %s is opened as %s', (address, expected) => {
  expect(withIdsInPath(address)).toBe(expected)
})

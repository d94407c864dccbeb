import { expect, test } from 'vitest'
import { subjectUrls } from '#platform/service-worker/prefetch-urls.ts'

test('a subject’s prefetch includes everything its screens request', () => {
  expect(subjectUrls({ studioSlug: 'riverside', studioId: 1, jobId: 12, subjectId: 7 })).toEqual([
    '/api/customer/jobs/12/availability',
    '/api/customer/studios/riverside',
    '/api/customer/jobs/12',
    '/api/customer/studios/1/jobs/12/job-preferences',
    '/api/customer/studios/1/jobs/12/services',
    '/api/customer/jobs/12/packages?orderMethod=prepay',
    '/api/customer/jobs/12/packages?orderMethod=gallery',
    '/api/customer/jobs/12/fields',
    '/api/customer/jobs/12/subjects/7',
    '/api/customer/jobs/12/subjects/7/images?replacements=1',
    '/api/customer/jobs/12/greenscreens',
  ])
})

test('a typed-in subject prefetches no URL of a subject', () => {
  const urls = subjectUrls({ studioSlug: 'riverside', studioId: 1, jobId: 12, subjectId: -1 })
  expect(urls.filter((address) => address.includes('/subjects/'))).toEqual([])
  expect(urls).toContain('/api/customer/jobs/12/fields')
})

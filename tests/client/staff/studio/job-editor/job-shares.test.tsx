import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { JobShares } from '#client/staff/kit/job/share-counts.tsx'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { getJobShareCounts } from '#contract/studio/jobs.ts'
import { render } from '#support/rendering/render.tsx'

const params = { studioId: 3, jobId: 12 }
afterEach(() => queryClient.clear())

const renderShares = (counts: object) => {
  queryClient.setQueryData([pathOf(getJobShareCounts, params, {}), {}], counts)
  return render(
    <QueryClientProvider client={queryClient}>
      <JobShares {...params} />
    </QueryClientProvider>,
  ).box.textContent
}

test('the job overview shows how often links to its images were made and opened', () => {
  expect(renderShares({ linkCount: 4, viewCount: 9, activeCount: 3, orderCount: 1, orderedCents: null })).toBe(
    'SharingIn the last 30 days: 4 links made, and opened 9 times. 3 links can be opened now. ' +
      '1 order placed for the same children within 14 days of a link that was opened.',
  )
})

test('the job overview says nothing about links before the first one is made', () => {
  expect(renderShares({ linkCount: 0, viewCount: 0, activeCount: 0, orderCount: 0, orderedCents: null })).toBe('')
})

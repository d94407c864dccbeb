import { act } from 'react'
import { expect, test } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { render } from '#support/rendering/render.tsx'
import { jobResponse, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const counts = {
  ...{ all: 9, unmatched: 9, subjects: 0, groups: 0, refused: 0, processing: 0, 'cut-outs': 0, unpublished: 9 },
  withdrawn: 0,
}

let done = 0
const requestedUrls = stubStaffServer((path) => {
  if (path.endsWith('/imagelookup-match')) {
    done = Math.min(done + 1, 20)
    const run = { id: 1, by: 'code', state: 'running', total: 900, done, matched: done, unclear: 0, unknown: 0 }
    return { run: { ...run, startedAt: '2027-04-15T10:00:00.000Z', finishedAt: null } }
  }
  if (path.endsWith('/imagelookups')) return { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
  if (path.endsWith('/imagelookup-counts')) return counts
  return path.endsWith('/jobs/12') ? jobResponse : undefined
})
const requestCount = (end: string) => requestedUrls.filter(({ pathname }) => pathname.endsWith(end)).length

test('a change of a match run refetches the images and not the run itself', async () => {
  render(staffScreenAt('/admin/studios/3/jobs/12/images'))
  await waitUntil(() => expect(document.body.textContent).toContain('1 of 900 checked'))
  const imageRequests = requestCount('/imagelookups')
  const runKey = {
    predicate: ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => String(path).endsWith('-match'),
  }
  await act(() => queryClient.invalidateQueries(runKey))
  await waitUntil(() => expect(requestCount('/imagelookups')).toBe(imageRequests + 1))
  await waitUntil(() => expect(queryClient.isFetching()).toBe(0))
  expect(requestCount('/imagelookup-match')).toBe(2)
})

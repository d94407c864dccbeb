import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { ShootProgress } from '#client/staff/studio/job-editor/shoot-progress.tsx'
import { pathOf } from '#contract/shapes/call.ts'
import { getShoot } from '#contract/studio/shoots.ts'
import { render } from '#support/rendering/render.tsx'

const params = { studioId: 3, jobId: 12 }
afterEach(() => queryClient.clear())

const renderProgress = (counts: object) => {
  queryClient.setQueryData([pathOf(getShoot, params, {}), {}], { counts })
  return render(
    <QueryClientProvider client={queryClient}>
      <ShootProgress params={params} />
    </QueryClientProvider>,
  ).box
}

test('the job overview shows the progress of the shoot and links to absent subjects', () => {
  const box = renderProgress({ waiting: 1200, photographed: 300, absent: 4, retake: 2 })
  expect(box.textContent).toBe('People photographed302 of 1,5061,200 still to come · 2 to be taken again · 4 absent')
  expect(box.querySelector('a')?.getAttribute('href')).toBe('/admin/studios/3/jobs/12/subjects?attendance=absent')
})

test('the job overview shows no shoot progress before the first subject is marked', () => {
  expect(renderProgress({ waiting: 30, photographed: 0, absent: 0, retake: 0 }).textContent).toBe('')
})

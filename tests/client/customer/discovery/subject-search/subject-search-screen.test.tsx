import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { SubjectSearchScreen } from '#client/customer/discovery/subject-search/subject-search-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const show = (ownCodeOnly: boolean) => {
  const event = springJobContext()
  render(
    <JobContext value={{ ...event, job: { ...event.job, ownCodeOnly } }}>
      <SubjectSearchScreen studioSlug="riverside" jobId={1} />
    </JobContext>,
  )
}

test('a job that is opened with the subject’s own code says so and links to the code entry', () => {
  show(true)
  expect(document.body.textContent).toContain('opens with your child’s own code')
  expect(document.querySelector('a[href="/riverside/code"]')).not.toBeNull()
  expect(document.querySelector('input[name="lastName"]')).toBeNull()
})

test('every other job is searched by name', () => {
  show(false)
  expect(document.querySelector('input[name="lastName"]')).not.toBeNull()
})

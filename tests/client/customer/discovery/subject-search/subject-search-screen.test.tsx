import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { SubjectSearchScreen } from '#client/customer/discovery/subject-search/subject-search-screen.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const renderScreen = (ownCodeOnly: boolean) => {
  const jobContext = springJobContext()
  render(
    <JobContext value={{ ...jobContext, job: { ...jobContext.job, ownCodeOnly } }}>
      <SubjectSearchScreen studioSlug="riverside" jobId={1} />
    </JobContext>,
  )
}

test('a job that only a subject’s own code opens says so, links to the code entry, and has no search by name', () => {
  renderScreen(true)
  expect(document.body.textContent).toContain('need your child’s own code')
  expect(document.querySelector('a[href="/riverside/code"]')).not.toBeNull()
  expect(document.querySelector('input[name="lastName"]')).toBeNull()
})

test('in every other job subjects are searched by name', () => {
  renderScreen(false)
  expect(document.querySelector('input[name="lastName"]')).not.toBeNull()
})

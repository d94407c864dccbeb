import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { EventContext } from '../../../src/client/customer/event.tsx'
import { SubjectSearchScreen } from '../../../src/client/customer/find/subject-search-screen.tsx'
import { render } from '../../support/render.tsx'
import { spring } from '../customer-event.ts'

const show = (ownCodeOnly: boolean) => {
  const event = spring()
  render(
    <EventContext value={{ ...event, job: { ...event.job, ownCodeOnly } }}>
      <SubjectSearchScreen studioSlug="riverside" jobId={1} />
    </EventContext>,
  )
}

test('an event that opens with the child’s own code says so, and leads to where it is entered', () => {
  show(true)
  expect(document.body.textContent).toContain('opens with your child’s own code')
  expect(document.querySelector('a[href="/riverside/code"]')).not.toBeNull()
  expect(document.querySelector('input[name="lastName"]')).toBeNull()
})

test('every other event is searched by name', () => {
  show(false)
  expect(document.querySelector('input[name="lastName"]')).not.toBeNull()
})

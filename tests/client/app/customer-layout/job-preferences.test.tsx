import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HelpDialog } from '#client/app/customer-layout/help-dialog.tsx'
import { KnownSubjects } from '#client/customer/discovery/subject-search/known-subjects.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import { saveConfirmedSubject } from '#local/session.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1 }
const studio = { ...springJobContext().studio, phone: '937-555-0142', email: 'hello@riverside.test' }
const contextWithPreferences = (preferences: Partial<JobPreferences>) =>
  springJobContext({ studio, preferences: { ...springJobContext().preferences, ...preferences } })
const links = () =>
  [...document.querySelectorAll('a[href^="tel:"], a[href^="mailto:"]')].map((link) => link.getAttribute('href'))

describe('the studio’s phone and e-mail in the help dialog', () => {
  const contactLinks = ['tel:9375550142', 'mailto:hello@riverside.test']
  test.each([
    [true, contactLinks],
    [false, []],
  ])('follow the contact preference: %s', (contact, expected) => {
    render(
      <JobContext value={contextWithPreferences({ contact })}>
        <HelpDialog open onClose={() => undefined} route={route} studio={studio} />
      </JobContext>,
    )
    expect(links()).toEqual(expected)
  })

  test('are shown if the job is unknown', () => {
    render(<HelpDialog open onClose={() => undefined} route={route} studio={studio} />)
    expect(links()).toEqual(contactLinks)
  })
})

describe('the names of subjects opened on this device', () => {
  const ada = {
    ...{ id: 7, jobId: 1, firstName: 'Ada', lastName: 'Lovelace', groupName: null, fields: [] },
    ...{ imageThumbnailUrl: '/photos/g/501/thumb-0', imageCount: 2, grantId: 'g', yearBookImageId: null },
  }
  beforeEach(async () => {
    await saveConfirmedSubject(database, { jobId: 1, subjectId: 7 })
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: ada })))
  })
  afterEach(async () => {
    vi.unstubAllGlobals()
    clearQueryCache()
    await database.subjects.clear()
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  })

  test.each([
    [true, { text: 'Ada Lovelace', alt: '' }],
    [false, { text: '', alt: 'Ada Lovelace' }],
  ])('appear below their thumbnails depending on the preference: %s', async (namesOnThumbnails, expected) => {
    render(
      <JobContext value={contextWithPreferences({ namesOnThumbnails })}>
        <KnownSubjects {...route} />
      </JobContext>,
    )
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    await vi.waitFor(() => {
      const link = document.querySelector('li a')
      expect({ text: link?.textContent, alt: link?.querySelector('img')?.alt }).toEqual(expected)
    })
  })
})

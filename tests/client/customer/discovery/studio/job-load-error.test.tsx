import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { CustomerLayout } from '#client/app/customer-layout/customer-layout.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const { studio, availability, job, preferences } = springJobContext()

/** Stubs the server of one job. Calls that match the pattern fail with the given status. */
const stubServerFailing = (pattern: RegExp, status: number) =>
  vi.stubGlobal('fetch', async (input: string | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'https://fieldproof.test')
    if (pattern.test(pathname)) return Response.json({ errors: ['An error occurred'] }, { status })
    if (pathname.endsWith('/availability')) return Response.json({ data: { ...availability, codeGiven: true } })
    if (pathname.endsWith('/job-preferences')) return Response.json({ data: preferences })
    if (/\/studios\/riverside$/.test(pathname)) return Response.json({ data: studio })
    return Response.json({ data: job })
  })

const waitForTexts = async (...texts: string[]) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi
    .waitFor(
      () =>
        expect(
          texts.filter((text) => !document.body.textContent?.includes(text)),
          document.body.textContent ?? '',
        ).toEqual([]),
      { timeout: 4_000 },
    )
    .finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}

const openScreen = () =>
  render(
    <CustomerLayout studioSlug="riverside" jobId={1} frame="event" screen="customer-subject-search">
      <p>The event</p>
    </CustomerLayout>,
  )

afterEach(() => {
  cleanUp()
  clearQueryCache()
  vi.unstubAllGlobals()
})

const serverErrorMessage = 'Something went wrong on our side'

test('if the studio of a job does not load, its screens show the exact message and the reason (section 8)', async () => {
  stubServerFailing(/\/studios\/riverside$/, 500)
  openScreen()
  await waitForTexts('There was an error loading the studio', serverErrorMessage)
})

test('if only the job does not load, the studio is not blamed', async () => {
  stubServerFailing(/\/job-preferences$/, 500)
  openScreen()
  await waitForTexts('This did not load', serverErrorMessage)
  expect(document.body.textContent).not.toContain('the studio')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SelectSubjectScreen } from '#client/customer/discovery/subject-search/select-subject-screen.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const galleryUrl = '/riverside/1/select-subject'
const { job, preferences } = springJobContext()
const publicGallery = springJobContext({ job: { ...job, publicGallery: true } })

const subjectOf = (id: number, imageThumbnailUrl: string | null = `/photos/g/${id}/thumb-0`) => ({
  ...{ id, jobId: 1, firstName: `Kai${id}`, lastName: 'Nakamura', groupName: null, fields: [] },
  ...{ imageThumbnailUrl, imageCount: 2, grantId: 'g', yearBookImageId: null },
})
const subjectsOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => subjectOf(from + index))
const page = (resultItems: object[], { currentPage = 1, totalRecords = resultItems.length } = {}) => ({
  data: { resultItems, currentPage, pageSize: 24, totalRecords },
})

type StubbedResponse = { status?: number; body: object }
/** The server's response, by page and filter; null if unreachable. */
let respond: (query: URLSearchParams) => StubbedResponse | null
/** The response for subjects without images; none by default. */
let respondWithout: (query: URLSearchParams) => StubbedResponse | null
let sections: object
let requestedQueries: string[]

const fetchStub = async (url: string | URL | Request) => {
  const { pathname, searchParams } = new URL(String(url), window.location.href)
  if (pathname.endsWith('/sections')) return new Response(JSON.stringify({ data: sections }))
  const images = searchParams.get('images')
  searchParams.delete('images')
  if (images === 'with') requestedQueries.push(searchParams.toString())
  const answer = images === 'with' ? respond : respondWithout
  const response = pathname === '/api/customer/jobs/1/gallery' ? answer(searchParams) : null
  if (!response) throw new TypeError('Failed to fetch')
  return new Response(JSON.stringify(response.body), { status: response.status ?? 200 })
}

beforeEach(() => {
  requestedQueries = []
  respondWithout = () => ({ body: page([]) })
  sections = { total: 2, groups: [], letters: ['N'] }
  history.replaceState(null, '', galleryUrl)
  sessionStorage.clear()
  vi.stubGlobal('fetch', fetchStub)
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const createScreen = (jobContext: JobContextValue) => (
  <JobContext value={jobContext}>
    <SelectSubjectScreen studioSlug="riverside" jobId={1} />
  </JobContext>
)

/** Runs a user action in `act`. Everything else is awaited outside it. */
const runInAct = <Result,>(action: () => Result): Result => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const result = action()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return result
}
const renderGallery = (jobContext = publicGallery) => runInAct(() => render(createScreen(jobContext)))

/** Leaves the gallery and returns to it. */
const leaveAndReturn = ({ rerender }: ReturnType<typeof renderGallery>) =>
  runInAct(() => {
    rerender(null)
    rerender(createScreen(publicGallery))
  })

const links = () => [...document.querySelectorAll<HTMLAnchorElement>('li a')]
const names = () => links().map((link) => link.textContent)
const eventually = (check: () => void) => vi.waitFor(check)
const pageText = () => document.body.textContent

test('placeholders reserve the space of images until they load', async () => {
  let respondNow: (response: StubbedResponse) => void = () => undefined
  const pendingResponse = new Promise<StubbedResponse>((resolve) => {
    respondNow = resolve
  })
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes('images=with&') || url.endsWith('images=with')
      ? new Response(JSON.stringify((await pendingResponse).body))
      : await fetchStub(url),
  )
  renderGallery()
  expect(getElement('h1').textContent).toBe('Choose your child')
  expect(countElements('li [aria-hidden="true"]')).toBeGreaterThan(0)
  expect(links()).toEqual([])
  respondNow({ body: page([subjectOf(1)]) })
  await eventually(() => expect(names()).toEqual(['Kai1 Nakamura']))
  expect(countElements('li [aria-hidden="true"]')).toBe(0)
})

test('a subject is selected by image and opens its packages', async () => {
  respond = () => ({ body: page(subjectsOf(1, 2)) })
  renderGallery()
  await eventually(() => expect(names()).toEqual(['Kai1 Nakamura', 'Kai2 Nakamura']))
  const [, secondLink] = links()
  expect(secondLink?.querySelector('img')?.getAttribute('src')).toBe('/photos/g/2/thumb-0')
  secondLink?.click()
  expect(window.location.pathname).toBe('/riverside/1/subject/2/select-package')
})

test('if names are not shown below images, the image’s accessible name is the name', async () => {
  respond = () => ({ body: page([subjectOf(1)]) })
  renderGallery({ ...publicGallery, preferences: { ...preferences, namesOnThumbnails: false } })
  await eventually(() => expect(links()).toHaveLength(1))
  expect(names()).toEqual([''])
  expect(getElement('li img').getAttribute('alt')).toBe('Kai1 Nakamura')
})

test('the list loads page by page until it is complete (section 9)', async () => {
  respond = (query) => {
    const currentPage = Number(query.get('currentPage'))
    const [from, to] = currentPage === 1 ? [1, 24] : [25, 30]
    return { body: page(subjectsOf(from, to), { currentPage, totalRecords: 30 }) }
  }
  renderGallery()
  await eventually(() => expect(links()).toHaveLength(24))
  getButton('Show more (6 left)').click()
  await eventually(() => expect(links()).toHaveLength(30))
  expect(requestedQueries).toEqual(['currentPage=1&pageSize=24', 'currentPage=2&pageSize=24'])
  expect(pageText()).not.toContain('Show more')
})

test('a list that exactly fills its last page offers no more', async () => {
  respond = () => ({ body: page(subjectsOf(1, 24)) })
  renderGallery()
  await eventually(() => expect(links()).toHaveLength(24))
  expect(pageText()).not.toContain('Show more')
})

test('a gallery without subjects shows what it will contain', async () => {
  respond = () => ({ body: page([]) })
  renderGallery()
  await eventually(() => expect(pageText()).toContain('Photos will be here soon'))
})

test('a typed name filters the list after a debounce', async () => {
  respond = (query) => ({ body: page(query.get('filter') === 'zoe' ? [] : subjectsOf(1, 2)) })
  renderGallery()
  await eventually(() => expect(links()).toHaveLength(2))
  for (const text of ['z', ' zoe ']) runInAct(() => type(getElement<HTMLInputElement>('input[type="search"]'), text))
  await eventually(() => expect(pageText()).toContain('No one named “zoe” here'))
  expect(requestedQueries).toEqual(['currentPage=1&pageSize=24', 'currentPage=1&pageSize=24&filter=zoe'])
})

test.each([
  [
    'the server sends a message',
    { status: 404, body: { errors: ['We could not find this'] } },
    'We could not find this',
  ],
  ['the server is unreachable', null, 'There was no answer'],
])('a failed request is reported when %s, with a retry', async (_, response, message) => {
  respond = () => response
  renderGallery()
  await eventually(() => expect(pageText()).toContain('These photos did not load'))
  expect(pageText()).toContain(message)
  respond = () => ({ body: page([subjectOf(1)]) })
  getButton('Try again').click()
  await eventually(() => expect(names()).toEqual(['Kai1 Nakamura']))
})

test('offline, subjects seen before are still shown', async () => {
  respond = () => ({ body: page([subjectOf(1)]) })
  const gallery = renderGallery()
  await eventually(() => expect(names()).toEqual(['Kai1 Nakamura']))
  respond = () => null
  leaveAndReturn(gallery)
  expect(names()).toEqual(['Kai1 Nakamura'])
  await eventually(() => expect(requestedQueries).toHaveLength(2))
  expect(names()).toEqual(['Kai1 Nakamura'])
  expect(pageText()).not.toContain('did not load')
})

test('a customer who lost access sees nothing of the gallery', async () => {
  respond = () => ({ body: page([subjectOf(1)]) })
  const gallery = renderGallery()
  await eventually(() => expect(links()).toHaveLength(1))
  respond = () => ({ status: 403, body: { errors: ['Please choose and confirm this child first'] } })
  leaveAndReturn(gallery)
  await eventually(() => expect(pageText()).toContain('These photos did not load'))
  expect(links()).toEqual([])
})

test('a gallery that is not public leads to the search', () => {
  render(createScreen(springJobContext()))
  expect(window.location.pathname).toBe('/riverside/1/search')
  expect(requestedQueries).toEqual([])
})

const chipsOf = (label: string) =>
  [...document.querySelectorAll(`fieldset[aria-label="${label}"] button`)].map((chip) => chip.textContent)

test('teams and first letters limit the gallery, and are restored on Back', async () => {
  const groups = [
    { id: 5, name: 'Red Rockets' },
    { id: 6, name: 'Blue Bears' },
  ]
  sections = { total: 300, groups, letters: ['N', 'Q', '#'] }
  respond = () => ({ body: page([{ ...subjectOf(1), groupName: 'Blue Bears' }]) })
  const gallery = renderGallery()
  await eventually(() => expect(chipsOf('Team or class')).toEqual(['All', 'Red Rockets', 'Blue Bears']))
  expect(chipsOf('First letter of the last name')).toEqual(['All', 'N', 'Q', '#'])
  await eventually(() => expect(names()).toEqual(['Kai1 NakamuraBlue Bears']))
  runInAct(() => getButton('Blue Bears').click())
  runInAct(() => getButton('N').click())
  await eventually(() => expect(requestedQueries.at(-1)).toBe('currentPage=1&pageSize=24&group=6&letter=N'))
  // All of them are in the chosen team.
  await eventually(() => expect(names()).toEqual(['Kai1 Nakamura']))
  expect(getButton('Blue Bears').getAttribute('aria-pressed')).toBe('true')
  leaveAndReturn(gallery)
  await eventually(() => expect(getButton('Blue Bears').getAttribute('aria-pressed')).toBe('true'))
  expect(getButton('N').getAttribute('aria-pressed')).toBe('true')
  runInAct(() => (document.querySelector('fieldset button') as HTMLElement).click())
  await eventually(() => expect(requestedQueries.at(-1)).toBe('currentPage=1&pageSize=24&letter=N'))
})

test('a small gallery without teams has no choices but the name', async () => {
  respond = () => ({ body: page(subjectsOf(1, 2)) })
  renderGallery()
  await eventually(() => expect(links()).toHaveLength(2))
  expect(countElements('fieldset')).toBe(0)
})

test('children without photos are folded below the others, with their names even if names are hidden', async () => {
  respond = () => ({ body: page([subjectOf(1)]) })
  respondWithout = () => ({ body: page([subjectOf(7, null), subjectOf(8, null)]) })
  renderGallery({ ...publicGallery, preferences: { ...preferences, namesOnThumbnails: false } })
  await eventually(() => expect(getElement('summary').textContent).toBe('2 without photos yet'))
  expect(getElement<HTMLDetailsElement>('details').open).toBe(false)
  expect([...document.querySelectorAll('details a')].map((link) => link.textContent)).toEqual([
    'Kai7 Nakamura',
    'Kai8 Nakamura',
  ])
})

test('if no one has photos yet, all children are shown', async () => {
  respond = () => ({ body: page([]) })
  respondWithout = () => ({ body: page([subjectOf(7, null)]) })
  renderGallery()
  await eventually(() => expect(names()).toEqual(['Kai7 Nakamura']))
  expect(pageText()).toContain('No photos of these children are online yet')
  expect(countElements('details')).toBe(0)
})

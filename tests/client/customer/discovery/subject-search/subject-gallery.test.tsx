import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SelectSubjectScreen } from '#client/customer/discovery/subject-search/select-subject-screen.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const here = '/riverside/1/select-subject'
const { job, preferences } = springJobContext()
const open = springJobContext({ job: { ...job, publicGallery: true } })

const person = (id: number, imageThumbnailUrl: string | null = `/photos/g/${id}/thumb-0`) => ({
  ...{ id, jobId: 1, firstName: `Kai${id}`, lastName: 'Nakamura', groupName: null, fields: [] },
  ...{ imageThumbnailUrl, imageCount: 2, grantId: 'g' },
})
const people = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => person(from + place))
const page = (resultItems: object[], { currentPage = 1, totalRecords = resultItems.length } = {}) => ({
  data: { resultItems, currentPage, pageSize: 24, totalRecords },
})

type Said = { status?: number; body: object }
/** The server's response, by page and filter; null if unreachable. */
let answers: (query: URLSearchParams) => Said | null
let asked: string[]

const fetching = async (url: string | URL | Request) => {
  const { pathname, searchParams } = new URL(String(url), window.location.href)
  asked.push(searchParams.toString())
  const said = pathname === '/api/customer/jobs/1/gallery' ? answers(searchParams) : null
  if (!said) throw new TypeError('Failed to fetch')
  return new Response(JSON.stringify(said.body), { status: said.status ?? 200 })
}

beforeEach(() => {
  asked = []
  history.replaceState(null, '', here)
  vi.stubGlobal('fetch', fetching)
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearQueryCache()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

const screen = (event: JobContextValue) => (
  <JobContext value={event}>
    <SelectSubjectScreen studioSlug="riverside" jobId={1} />
  </JobContext>
)

/** Runs user actions in `act`; everything else is awaited outside of it. */
const driven = <Result,>(drive: () => Result): Result => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const result = drive()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return result
}
const draw = (event = open) => driven(() => render(screen(event)))

/** Leaves the gallery and returns to it. */
const comeBack = ({ again }: ReturnType<typeof draw>) =>
  driven(() => {
    again(null)
    again(screen(open))
  })

const links = () => [...document.querySelectorAll<HTMLAnchorElement>('li a')]
const names = () => links().map((link) => link.textContent)
const until = (look: () => void) => vi.waitFor(look)
const words = () => document.body.textContent

test('placeholders reserve the space of images until they load', async () => {
  let arrive: (said: Said) => void = () => undefined
  const waiting = new Promise<Said>((resolve) => {
    arrive = resolve
  })
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify((await waiting).body)))
  draw()
  expect(getElement('h1').textContent).toBe('Choose a person')
  expect(countElements('li [aria-hidden="true"]')).toBeGreaterThan(0)
  expect(links()).toEqual([])
  arrive({ body: page([person(1)]) })
  await until(() => expect(names()).toEqual(['Kai1 Nakamura']))
  expect(countElements('li [aria-hidden="true"]')).toBe(0)
})

test('a subject is selected by image and opens its packages', async () => {
  answers = () => ({ body: page(people(1, 2)) })
  draw()
  await until(() => expect(names()).toEqual(['Kai1 Nakamura', 'Kai2 Nakamura']))
  const [, second] = links()
  expect(second?.querySelector('img')?.getAttribute('src')).toBe('/photos/g/2/thumb-0')
  second?.click()
  expect(window.location.pathname).toBe('/riverside/1/subject/2/select-package')
})

test('if names are not shown below images, the image’s accessible name is the name', async () => {
  answers = () => ({ body: page([person(1)]) })
  draw({ ...open, preferences: { ...preferences, namesOnThumbnails: false } })
  await until(() => expect(links()).toHaveLength(1))
  expect(names()).toEqual([''])
  expect(getElement('li img').getAttribute('alt')).toBe('Kai1 Nakamura')
})

test('the list loads page by page until it is complete (section 9)', async () => {
  answers = (query) => {
    const currentPage = Number(query.get('currentPage'))
    const [from, to] = currentPage === 1 ? [1, 24] : [25, 30]
    return { body: page(people(from, to), { currentPage, totalRecords: 30 }) }
  }
  draw()
  await until(() => expect(links()).toHaveLength(24))
  getButton('Show more (6 left)').click()
  await until(() => expect(links()).toHaveLength(30))
  expect(asked).toEqual(['currentPage=1&pageSize=24', 'currentPage=2&pageSize=24'])
  expect(words()).not.toContain('Show more')
})

test('a list that exactly fills its last page offers no more', async () => {
  answers = () => ({ body: page(people(1, 24)) })
  draw()
  await until(() => expect(links()).toHaveLength(24))
  expect(words()).not.toContain('Show more')
})

test('a gallery without subjects says what will be here', async () => {
  answers = () => ({ body: page([]) })
  draw()
  await until(() => expect(words()).toContain('Pictures will be here soon'))
})

test('a typed name filters the list after a debounce', async () => {
  answers = (query) => ({ body: page(query.get('filter') === 'zoe' ? [] : people(1, 2)) })
  draw()
  await until(() => expect(links()).toHaveLength(2))
  for (const text of ['z', ' zoe ']) driven(() => type(getElement<HTMLInputElement>('input[type="search"]'), text))
  await until(() => expect(words()).toContain('Nobody called “zoe” here'))
  expect(asked).toEqual(['currentPage=1&pageSize=24', 'currentPage=1&pageSize=24&filter=zoe'])
})

test.each([
  [
    'the server sends a message',
    { status: 404, body: { errors: ['We could not find this'] } },
    'We could not find this',
  ],
  ['the server is unreachable', null, 'There was no answer'],
])('a failed request is reported when %s, with a retry', async (_, said, sentence) => {
  answers = () => said
  draw()
  await until(() => expect(words()).toContain('These pictures did not load'))
  expect(words()).toContain(sentence)
  answers = () => ({ body: page([person(1)]) })
  getButton('Try again').click()
  await until(() => expect(names()).toEqual(['Kai1 Nakamura']))
})

test('offline, subjects seen before can still be selected', async () => {
  answers = () => ({ body: page([person(1)]) })
  const gallery = draw()
  await until(() => expect(names()).toEqual(['Kai1 Nakamura']))
  answers = () => null
  comeBack(gallery)
  expect(names()).toEqual(['Kai1 Nakamura'])
  await until(() => expect(asked).toHaveLength(2))
  expect(names()).toEqual(['Kai1 Nakamura'])
  expect(words()).not.toContain('did not load')
})

test('a customer without access any more sees nothing of the gallery', async () => {
  answers = () => ({ body: page([person(1)]) })
  const gallery = draw()
  await until(() => expect(links()).toHaveLength(1))
  answers = () => ({ status: 403, body: { errors: ['Please choose and confirm this person first'] } })
  comeBack(gallery)
  await until(() => expect(words()).toContain('These pictures did not load'))
  expect(links()).toEqual([])
})

test('a gallery that is not public leads to the search', () => {
  render(screen(springJobContext()))
  expect(window.location.pathname).toBe('/riverside/1/search')
  expect(asked).toEqual([])
})

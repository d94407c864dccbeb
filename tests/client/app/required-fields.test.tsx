import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { AccessCodeForm } from '#client/customer/discovery/studio/access-code-form.tsx'
import { SubjectSearch } from '#client/customer/discovery/subject-search/subject-search.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { FindForm } from '#client/home/find-form.tsx'
import { click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '../job-context-examples.ts'

const required = 'This field is required'
const fetchStub = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
vi.stubGlobal('fetch', fetchStub)

afterEach(() => {
  expect(fetchStub).not.toHaveBeenCalled()
  fetchStub.mockClear()
})

const field = (name: string) => getElement<HTMLInputElement>(`input[name="${name}"]`)

/** The error shown at a field; null if there is none. */
const errorOf = (name: string) => {
  const input = field(name)
  if (input.getAttribute('aria-invalid') !== 'true') return null
  const errorId = input.getAttribute('aria-describedby')?.split(' ').at(-1) ?? ''
  return document.getElementById(errorId)?.textContent
}

const searchForm = (
  <JobContext value={springJobContext()}>
    <SubjectSearch studioSlug="riverside" jobId={1} />
  </JobContext>
)
const codeForm = <AccessCodeForm studioSlug="riverside" failure={null} />

test.each([
  ['access code', codeForm, 'code', 'Open'],
  ['text to find', <FindForm key="find" />, 'find', 'Find my photos'],
])('an empty %s is reported as required (section 5) and focused', (_, form, name, submit) => {
  render(form)
  for (const blank of ['', '  ']) {
    type(field(name), blank)
    click(getButton(submit))
    expect(errorOf(name)).toBe(required)
    expect(document.activeElement).toBe(field(name))
  }
})

test('empty names are reported as required (section 5) and the first one is focused', () => {
  render(searchForm)
  click(getButton('Search'))
  expect([errorOf('firstName'), errorOf('lastName')]).toEqual([required, required])
  expect(document.activeElement).toBe(field('firstName'))
  type(field('firstName'), 'A')
  click(getButton('Search'))
  expect([errorOf('firstName'), errorOf('lastName')]).toEqual([null, required])
  expect(document.activeElement).toBe(field('lastName'))
})

import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SubjectSearch } from '#client/customer/discovery/subject-search/subject-search.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { cleanUp, click, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

beforeEach(() => void vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network'))))
afterEach(() => void vi.unstubAllGlobals())

test('offline, the search reports that it needs a connection, and the input stays', async () => {
  render(
    <JobContext value={springJobContext()}>
      <SubjectSearch studioSlug="riverside" jobId={1} />
    </JobContext>,
  )
  type(getElement('input[name="firstName"]'), 'A')
  type(getElement('input[name="lastName"]'), 'Lo')
  await act(async () => click(getButton('Search')))
  await vi.waitFor(() => act(async () => expect(document.body.textContent).toContain('Searching needs a connection')))
  expect(getElement('[role=status]').textContent).toContain('can still order for children you opened before')
  expect(getElement<HTMLInputElement>('input[name="lastName"]').value).toBe('Lo')
})

test('returning to the search restores the names and their results', async () => {
  const ada = { id: 7, firstName: 'Ada', lastName: 'Lovelace', groupName: null, proof: 'p' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: [ada] })))
  const renderSearch = () =>
    render(
      <JobContext value={springJobContext()}>
        <SubjectSearch studioSlug="riverside" jobId={1} />
      </JobContext>,
    )
  history.replaceState(null, '', '/riverside/1/search')
  renderSearch()
  type(getElement('input[name="firstName"]'), 'A')
  type(getElement('input[name="lastName"]'), 'Lovelace')
  await act(async () => click(getButton('Search')))
  await vi.waitFor(() => act(async () => expect(document.body.textContent).toContain('1 child found')))
  cleanUp()
  renderSearch()
  expect(getElement<HTMLInputElement>('input[name="firstName"]').value).toBe('A')
  expect(getElement<HTMLInputElement>('input[name="lastName"]').value).toBe('Lovelace')
  await vi.waitFor(() => act(async () => expect(document.body.textContent).toContain('1 child found')))
  cleanUp()
  history.pushState(null, '', '/riverside/1/search')
  renderSearch()
  expect(getElement<HTMLInputElement>('input[name="lastName"]').value).toBe('')
})

test('searched names are not in the browser history, which “Finish on this device” cannot clear', async () => {
  history.replaceState(null, '', '/riverside/1/search')
  render(
    <JobContext value={springJobContext()}>
      <SubjectSearch studioSlug="riverside" jobId={1} />
    </JobContext>,
  )
  type(getElement('input[name="firstName"]'), 'A')
  type(getElement('input[name="lastName"]'), 'Lovelace')
  await act(async () => click(getButton('Search')))
  expect(JSON.stringify(history.state)).not.toContain('Lovelace')
  expect(JSON.stringify({ ...sessionStorage })).toContain('Lovelace')
})

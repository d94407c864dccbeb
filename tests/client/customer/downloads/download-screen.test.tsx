import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DownloadScreen } from '#client/customer/downloads/download-screen.tsx'
import type { Download } from '#contract/customer/download-calls.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'

const linkId = 'A'.repeat(22)
const base = `/api/customer/downloads/${linkId}`
const file = (at: number) => ({
  name: `IMG_${at}.jpg`,
  bytes: 4_200_000,
  width: 4000,
  height: 6000,
  url: `${base}/files/${at}`,
})
const download: Download = {
  state: 'ready',
  kind: 'all',
  jobName: 'Spring Portraits 2027',
  studioName: 'Riverside Portraits',
  studioSlug: 'riverside',
  personName: 'Ada Lovelace',
  expiresAt: '2027-07-02T02:00:00.000Z',
  goodUntil: '2027-07-01',
  files: [file(1), file(2)],
  zipUrl: `${base}/zip`,
}

let answers: ({ status: number; body: object } | null)[]
let asked: { method: string | undefined; body: unknown }[]
const words = () => document.body.textContent

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    asked.push({ method: init?.method, body: init?.body ? JSON.parse(String(init.body)) : null })
    const response = answers.shift()
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(response.body), { status: response.status })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearQueryCache()
})

const shows = async (text: string) => {
  await waitForPage(() => expect(words()).toContain(text))
}
const open = () => render(<DownloadScreen studioSlug="riverside" linkId={linkId} />)
const good = (own: Partial<Download> = {}) => ({ status: 200, body: { data: { ...download, ...own } } })

test('each image and the ZIP of all are links the browser downloads', async () => {
  answers = [good()]
  open()
  await shows('Ada Lovelace’s pictures')
  expect(words()).toContain('Download all 2 (8.4 MB)')
  expect(words()).toContain('4000 × 6000 · 4.2 MB')
  expect(words()).toContain('good until 07/01/2027')
  expect(getElement(`a[href="${base}/zip"]`).hasAttribute('download')).toBe(true)
  expect(getElement(`a[href="${base}/files/2"]`).getAttribute('download')).toBe('IMG_2.jpg')
})

test('each image has a thumbnail with reserved space and a text alternative', async () => {
  const thumbnail = { url: `${base}/thumbs/1`, width: 213, height: 320 }
  answers = [good({ files: [{ ...file(1), thumbnail }, file(2)] })]
  open()
  await shows('Ada Lovelace’s pictures')
  const [image, ...more] = document.querySelectorAll('img')
  expect(more).toEqual([])
  const said = ['src', 'width', 'height', 'alt', 'loading'].map((name) => image?.getAttribute(name))
  expect(said).toEqual([`${base}/thumbs/1`, '213', '320', 'Picture 1 of 2, Ada Lovelace', 'lazy'])
})

test('an image still being composed on its background is polled until ready', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  answers = [
    good({ state: 'waiting', files: [], zipUrl: undefined, making: 2 }),
    good({ files: [file(1)], zipUrl: undefined, making: 1 }),
    good(),
  ]
  open()
  await shows('Your pictures are being put on the background you chose')
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  act(() => void vi.advanceTimersByTime(4000))
  await shows('One more picture is being put on the background you chose')
  expect(document.querySelectorAll('li')).toHaveLength(1)
  act(() => void vi.advanceTimersByTime(4000))
  await shows('Download all 2')
  expect(words()).not.toContain('being put')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(asked).toHaveLength(3)
})

test('a single image has no ZIP', async () => {
  answers = [good({ kind: 'single', files: [file(1)], zipUrl: undefined })]
  open()
  await shows('Ada Lovelace’s picture')
  expect(words()).not.toContain('Download all')
})

test('an expired link is renewed by order number and email, and a wrong entry keeps the input', async () => {
  answers = [
    good({ state: 'expired', files: [], zipUrl: undefined }),
    { status: 404, body: { errors: ['Could not find this order'], problem: 'not-found' } },
    good(),
    good(),
  ]
  open()
  await shows('This link has expired')
  click(getButton('Renew the link'))
  await shows('This field is required')
  expect(asked).toHaveLength(1)
  type(getElement<HTMLInputElement>('[name="orderNumber"]'), 'FP-ABCD1234')
  type(getElement<HTMLInputElement>('[name="email"]'), 'anne@example.com')
  click(getButton('Renew the link'))
  await shows('Could not find this order')
  expect(getElement<HTMLInputElement>('[name="orderNumber"]').value).toBe('FP-ABCD1234')
  click(getButton('Renew the link'))
  await shows('Ada Lovelace’s pictures')
  expect(asked[2]).toEqual({ method: 'POST', body: { orderNumber: 'FP-ABCD1234', email: 'anne@example.com' } })
})

test('a link that is not ready, gone or unreachable says what to do', async () => {
  answers = [good({ state: 'waiting', files: [], zipUrl: undefined })]
  const { again } = open()
  await shows('There is nothing to download yet. Riverside Portraits tells you by mail')
  clearQueryCache()
  const sentence = 'The link is incomplete or no longer works. Ask the studio for a new one'
  answers = [{ status: 404, body: { errors: [sentence], problem: 'not-found' } }]
  again(<DownloadScreen key="gone" studioSlug="riverside" linkId={linkId} />)
  await shows(sentence)
  answers = []
  again(<DownloadScreen key="offline" studioSlug="riverside" linkId={`B${linkId.slice(1)}`} />)
  await shows('There was no answer')
  answers = [good()]
  click(getButton('Try again'))
  await shows('Ada Lovelace’s pictures')
})

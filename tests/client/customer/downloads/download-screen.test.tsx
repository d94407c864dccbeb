import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DownloadScreen } from '#client/customer/downloads/download-screen.tsx'
import type { Download } from '#contract/customer/download-calls.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'

const linkId = 'A'.repeat(22)
const base = `/api/customer/downloads/${linkId}`
const file = (number: number) => ({
  name: `IMG_${number}.jpg`,
  bytes: 4_200_000,
  width: 4000,
  height: 6000,
  url: `${base}/files/${number}`,
})
const download: Download = {
  state: 'ready',
  kind: 'all',
  jobName: 'Spring Portraits 2027',
  studioName: 'Riverside Portraits',
  studioSlug: 'riverside',
  subjectName: 'Ada Lovelace',
  expiresAt: '2027-07-02T02:00:00.000Z',
  goodUntil: '2027-07-01',
  files: [file(1), file(2)],
  zipUrl: `${base}/zip`,
}

let responses: ({ status: number; body: object } | null)[]
let requests: { method: string | undefined; body: unknown }[]
const pageText = () => document.body.textContent

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    // Without the studio's logo, its name is shown.
    if (!url.includes('/downloads/')) return Response.json({ errors: ['Not found'] }, { status: 404 })
    requests.push({ method: init?.method, body: init?.body ? JSON.parse(String(init.body)) : null })
    const response = responses.shift()
    if (!response) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(response.body), { status: response.status })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearQueryCache()
})

const waitForText = async (text: string) => {
  await waitForPage(() => expect(pageText()).toContain(text))
}
const openScreen = () => render(<DownloadScreen studioSlug="riverside" linkId={linkId} />)
const downloadResponse = (overrides: Partial<Download> = {}) => ({
  status: 200,
  body: { data: { ...download, ...overrides } },
})

test('each image and the ZIP of all are links the browser downloads', async () => {
  responses = [downloadResponse()]
  openScreen()
  await waitForText('Ada Lovelace’s photos')
  expect(pageText()).toContain('Download all 2 (8.4 MB)')
  expect(pageText()).toContain('4000 × 6000 · 4.2 MB')
  expect(pageText()).toContain('works until 07/01/2027')
  expect(getElement(`a[href="${base}/zip"]`).hasAttribute('download')).toBe(true)
  expect(getElement(`a[href="${base}/files/2"]`).getAttribute('download')).toBe('IMG_2.jpg')
})

test('each image has a thumbnail with reserved space and a text alternative', async () => {
  const thumbnail = { url: `${base}/thumbs/1`, width: 213, height: 320 }
  responses = [downloadResponse({ files: [{ ...file(1), thumbnail }, file(2)] })]
  openScreen()
  await waitForText('Ada Lovelace’s photos')
  const [image, ...otherImages] = document.querySelectorAll('img')
  expect(otherImages).toEqual([])
  const attributes = ['src', 'width', 'height', 'alt', 'loading'].map((name) => image?.getAttribute(name))
  expect(attributes).toEqual([`${base}/thumbs/1`, '213', '320', 'Photo 1 of 2, Ada Lovelace', 'lazy'])
})

test('an image still being composed on its background is polled until ready', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  responses = [
    downloadResponse({ state: 'waiting', files: [], zipUrl: undefined, missingCount: 2 }),
    downloadResponse({ files: [file(1)], zipUrl: undefined, missingCount: 1 }),
    downloadResponse(),
  ]
  openScreen()
  await waitForText('Your photos are getting the background you chose')
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  act(() => void vi.advanceTimersByTime(4000))
  await waitForText('One more photo is getting the background you chose')
  expect(document.querySelectorAll('li')).toHaveLength(1)
  act(() => void vi.advanceTimersByTime(4000))
  await waitForText('Download all 2')
  expect(pageText()).not.toContain('getting the background')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(requests).toHaveLength(3)
})

test('a single image has no ZIP', async () => {
  responses = [downloadResponse({ kind: 'single', files: [file(1)], zipUrl: undefined })]
  openScreen()
  await waitForText('Ada Lovelace’s photo')
  expect(pageText()).not.toContain('Download all')
})

test('prints of the same child can be ordered while the job sells them', async () => {
  responses = [downloadResponse({ printsOf: { jobId: 7, subjectId: 12 } })]
  openScreen()
  await waitForText('Order prints')
  expect(getElement('a[href$="/7/subject/12/select-package"]').textContent).toBe('Order prints')
})

test('an expired link is renewed by order number and email, and a wrong entry keeps the input', async () => {
  responses = [
    downloadResponse({ state: 'expired', files: [], zipUrl: undefined }),
    { status: 404, body: { errors: ['Could not find this order'], problem: 'not-found' } },
    downloadResponse(),
    downloadResponse(),
  ]
  openScreen()
  await waitForText('This link has expired')
  click(getButton('Renew the link'))
  await waitForText('This field is required')
  expect(requests).toHaveLength(1)
  type(getElement<HTMLInputElement>('[name="orderNumber"]'), 'FP-ABCD1234')
  type(getElement<HTMLInputElement>('[name="email"]'), 'anne@example.com')
  click(getButton('Renew the link'))
  await waitForText('Could not find this order')
  expect(getElement<HTMLInputElement>('[name="orderNumber"]').value).toBe('FP-ABCD1234')
  click(getButton('Renew the link'))
  await waitForText('Ada Lovelace’s photos')
  expect(requests[2]).toEqual({ method: 'POST', body: { orderNumber: 'FP-ABCD1234', email: 'anne@example.com' } })
})

test('a link that is not ready, invalid or unreachable shows what to do', async () => {
  responses = [downloadResponse({ state: 'waiting', files: [], zipUrl: undefined })]
  const { rerender } = openScreen()
  await waitForText('Nothing to download yet. Riverside Portraits will email you')
  clearQueryCache()
  const message = 'The link is incomplete or no longer works. Ask the studio for a new one'
  responses = [{ status: 404, body: { errors: [message], problem: 'not-found' } }]
  rerender(<DownloadScreen key="gone" studioSlug="riverside" linkId={linkId} />)
  await waitForText(message)
  responses = []
  rerender(<DownloadScreen key="offline" studioSlug="riverside" linkId={`B${linkId.slice(1)}`} />)
  await waitForText('There was no answer')
  responses = [downloadResponse()]
  click(getButton('Try again'))
  await waitForText('Ada Lovelace’s photos')
})

describe('on a phone, a photo', () => {
  const share = vi.fn<(data: ShareData) => Promise<void>>()
  const sharedFiles = () => share.mock.calls.map(([{ files = [] }]) => files.map(({ name, type }) => [name, type]))

  beforeEach(() => {
    share.mockReset()
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
    Object.assign(navigator, { share, canShare: () => true })
  })
  afterEach(() => {
    for (const name of ['share', 'canShare']) Reflect.deleteProperty(navigator, name)
  })

  const open = async () => {
    responses = [downloadResponse({ files: [file(1)], zipUrl: undefined })]
    openScreen()
    await waitForText('Ada Lovelace’s photos')
    return () => click(getButton('Save to Photos: IMG_1.jpg'))
  }

  test('is passed to the phone’s sharing sheet', async () => {
    const save = await open()
    responses = [{ status: 200, body: {} }]
    save()
    await waitForPage(() => expect(sharedFiles()).toEqual([[['IMG_1.jpg', 'image/jpeg']]]))
  })

  test('that loaded too slowly for the first tap is shared at the second, without loading again', async () => {
    const save = await open()
    responses = [{ status: 200, body: {} }]
    share.mockRejectedValueOnce(new DOMException('too late', 'NotAllowedError'))
    save()
    await waitForPage(() => expect(share).toHaveBeenCalledTimes(1))
    const requestCount = requests.length
    await waitForPage(() => expect(getButton('Save to Photos: IMG_1.jpg').getAttribute('aria-busy')).toBeNull())
    save()
    await waitForPage(() => expect(share).toHaveBeenCalledTimes(2))
    expect(requests).toHaveLength(requestCount)
  })

  test('that does not load says so and can be tried again', async () => {
    const save = await open()
    save()
    await waitForText('The photo did not load. Check your connection and try again')
    responses = [{ status: 200, body: {} }]
    save()
    await waitForPage(() => expect(share).toHaveBeenCalledTimes(1))
  })
})

test('a computer has no button for the phone’s photos', async () => {
  responses = [downloadResponse()]
  openScreen()
  await waitForText('Ada Lovelace’s photos')
  expect(pageText()).not.toContain('Save to Photos')
})

import 'fake-indexeddb/auto'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImageControls } from '#client/customer/packages/selection/image-controls.tsx'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Share } from '#contract/customer/share-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { online } from '#platform/online.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { toastLog } from '#ui/toast/toast.ts'
import { groupImage, landscape, portrait } from '../package-examples.ts'

const token = 'A'.repeat(22)
const address = `${window.location.origin}/riverside/shared/${token}`
const newShare: Share = { id: 8, imageCount: 2, viewCount: 0, createdOn: '2026-11-29', expiresOn: '2026-12-13' }
const oldShare: Share = { id: 3, imageCount: 1, viewCount: 4, createdOn: '2026-11-20', expiresOn: '2026-12-04' }
let shares: Share[]
let isReachable: boolean
let rejection: string | undefined
const writes: unknown[] = []

const respond = async (url: string, { method = 'GET', body }: RequestInit = {}) => {
  if (method !== 'GET') writes.push([method, url, body ? JSON.parse(String(body)) : null])
  if (!isReachable) throw new TypeError('Failed to fetch')
  if (url === '/api/health') return Response.json({ data: { status: 'ok', build: 'test' } })
  if (method === 'GET') return Response.json({ data: { shares } })
  if (rejection) return Response.json({ errors: [rejection], problem: 'refused' }, { status: 422 })
  if (method === 'POST') {
    shares = [newShare, ...shares]
    return Response.json({ data: { token, share: newShare } })
  }
  shares = shares.filter(({ id }) => !url.endsWith(`/${id}`))
  return Response.json({ data: { shares } })
}

const renderControls = ({
  isSharingEnabled = true,
  images = [portrait, landscape, groupImage],
  favouriteIds = [] as number[],
  shown = portrait,
} = {}) =>
  render(
    <JobContext value={springJobContext({ studio: { ...springJobContext().studio, isSharingEnabled } })}>
      <ImageControls
        subjectId={7}
        firstName="Ada"
        {...{ images, shown, favouriteIds }}
        onToggleFavourite={() => {}}
        onChoose={() => {}}
      />
    </JobContext>,
  )
const dialogText = () => getElement('[role=dialog]').textContent ?? ''
const waitForText = (text: string) => waitForPage(() => expect(dialogText()).toContain(text))
const options = () => [...document.querySelectorAll<HTMLInputElement>('[role=dialog] input[type=checkbox]')]
const open = async () => {
  click(getButton('Show to someone'))
  await waitForPage(() => getButton('Create link'))
}

beforeEach(() => {
  document.body.replaceChildren()
  shares = [oldShare]
  isReachable = true
  rejection = undefined
  writes.length = 0
  toastLog.set([])
  online.set(true)
  vi.stubGlobal('fetch', respond)
})
afterEach(() => {
  cleanUp()
  clearQueryCache()
  vi.unstubAllGlobals()
})

test('a customer creates a link to the chosen images and copies it', async () => {
  const copied: string[] = []
  vi.stubGlobal('navigator', {
    ...navigator,
    onLine: true,
    clipboard: { writeText: async (text: string) => copied.push(text) },
  })
  renderControls()
  await open()
  // The image of the group is not offered, because it shows others.
  expect(options().map(({ checked }) => checked)).toEqual([true, true])
  click(options()[0] as HTMLInputElement)
  await waitForText('1 photo chosen')
  click(options()[0] as HTMLInputElement)
  click(getButton('Create link'))
  await waitForText('Anyone with this link can look at these photos until 12/13/2026. They can’t order or download.')
  expect(writes).toEqual([
    ['POST', '/api/customer/jobs/1/subjects/7/shares', { imageIds: [portrait.id, landscape.id] }],
  ])
  expect(getElement<HTMLInputElement>('[role=dialog] input[readonly]').value).toBe(address)
  await act(async () => getButton('Copy link').click())
  expect(copied).toEqual([address])
  expect(toastLog.current().map(({ text }) => text)).toEqual(['Link copied'])
  await waitForText('2 photos, until 12/13/2026')
  expect(dialogText()).toContain('1 photo, until 12/04/2026')
})

test('only the favorites are chosen at first if there are any', async () => {
  renderControls({ favouriteIds: [landscape.id, groupImage.id] })
  await open()
  expect(options().map(({ checked }) => checked)).toEqual([false, true])
})

/** Opens an image on the whole screen. Returns the viewer's button that shows it to someone. */
const openViewer = async (shown: Image) => {
  renderControls({ shown })
  click(getElement('[aria-label^=Enlarge]'))
  return await waitForPage(() => getElement('.pswp [title="Show to someone"]'))
}

test('the full-screen viewer closes to show its photo to someone', async () => {
  const sendButton = await openViewer(landscape)
  expect(sendButton.hidden).toBe(false)
  click(sendButton)
  await waitForPage(() => getButton('Create link'))
  expect(countElements('.pswp')).toBe(0)
  expect(options().map(({ checked }) => checked)).toEqual([false, true])
})

test('the full-screen viewer does not offer to show a photo of a group to someone', async () => {
  expect((await openViewer(groupImage)).hidden).toBe(true)
})

test('a link is stopped, and the list says how often it was opened', async () => {
  renderControls()
  await open()
  await waitForText('1 photo, until 12/04/2026')
  expect(dialogText()).toContain('Opened 4 times')
  click(getButton('Stop sharing 1 photo until 12/04/2026'))
  await waitForText('Links you make appear here')
  expect(writes).toEqual([['DELETE', '/api/customer/jobs/1/subjects/7/shares/3', null]])
})

test('without a chosen image, or when the server refuses, the dialog says so', async () => {
  renderControls({ images: [portrait] })
  await open()
  click(options()[0] as HTMLInputElement)
  click(getButton('Create link'))
  await waitForText('Choose at least one photo')
  click(options()[0] as HTMLInputElement)
  rejection = 'You have 20 links already. Stop sharing one first'
  click(getButton('Create link'))
  await waitForText(rejection)
})

test('without a connection the dialog says so and sends nothing', async () => {
  isReachable = false
  renderControls()
  await open()
  await waitForText('Your links did not load')
  act(() => online.set(false))
  await waitForText('You’re offline: this needs a connection.')
  click(getButton('Create link'))
  isReachable = true
  act(() => online.set(true))
  await waitForText('1 photo, until 12/04/2026')
  expect(writes).toEqual([])
})

test.each([
  ['the studio does not offer it', { isSharingEnabled: false }],
  ['there are only images of groups', { images: [groupImage] }],
])('the button is missing when %s', (_, options) => {
  renderControls(options)
  expect(countElements('[aria-label^=Enlarge]')).toBe(1)
  expect(countElements('[aria-label="Show to someone"]')).toBe(0)
})

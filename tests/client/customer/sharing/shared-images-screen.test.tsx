import { afterEach, expect, test, vi } from 'vitest'
import { SharedImagesScreen } from '#client/customer/sharing/shared-images-screen.tsx'
import type { SharedImages } from '#contract/customer/shared-images.ts'
import { clearQueryCache } from '#platform/api/use-query.ts'
import { cleanUp, click, getButton, render, waitForPage } from '#support/rendering/render.tsx'

const token = 'A'.repeat(22)
const image = (id: number) => ({
  id,
  width: 800,
  height: 1000,
  previewUrl: `/photos/shared/riverside/${token}/${id}/preview-0123`,
})
const shared: SharedImages = {
  studioSlug: 'riverside',
  studioName: 'Riverside Portraits',
  firstName: 'Ada',
  expiresOn: '2026-12-13',
  images: [image(1), image(2)],
}

const requests: string[] = []
const answerWith = (answer: () => Response) =>
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url)
    return url.includes('/shared/') ? answer() : Response.json({ errors: ['Not found'] }, { status: 404 })
  })
const openScreen = () => render(<SharedImagesScreen studioSlug="riverside" linkId={token} />)
const waitForText = (text: string) => waitForPage(() => expect(document.body.textContent).toContain(text))

afterEach(() => {
  cleanUp()
  clearQueryCache()
  requests.length = 0
  vi.unstubAllGlobals()
})

test('the link shows the previews with the first name, the studio and the last day', async () => {
  answerWith(() => Response.json({ data: shared }))
  openScreen()
  await waitForText('Ada’s photos')
  expect(requests[0]).toBe(`/api/customer/studios/riverside/shared/${token}`)
  expect(document.body.textContent).toContain('Riverside Portraits')
  expect(document.body.textContent).toContain('Previews with a watermark, to look at until 12/13/2026.')
  expect([...document.querySelectorAll('img')].map(({ alt }) => alt)).toEqual([
    'Photo 1 of 2, Ada',
    'Photo 2 of 2, Ada',
  ])
  expect([...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/riverside'])
  expect(document.querySelectorAll('button')).toHaveLength(0)
})

test('without a name, the page has none', async () => {
  answerWith(() => Response.json({ data: { ...shared, firstName: null, images: [image(1)] } }))
  openScreen()
  await waitForText('1 photo to look at')
  expect([...document.querySelectorAll('img')].map(({ alt }) => alt)).toEqual(['Photo 1 of 1'])
})

test('a link that has ended says only that', async () => {
  answerWith(() => Response.json({ errors: ['Not found'], problem: 'not-found' }, { status: 404 }))
  openScreen()
  await waitForText('This link has ended')
  expect(document.body.textContent).toContain('Ask for a new one.')
})

test('without a connection the viewer can try again', async () => {
  answerWith(() => {
    throw new TypeError('Failed to fetch')
  })
  openScreen()
  await waitForText('The photos did not load')
  answerWith(() => Response.json({ data: shared }))
  click(getButton('Try again'))
  await waitForText('Ada’s photos')
})

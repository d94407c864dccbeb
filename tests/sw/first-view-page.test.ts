import { expect, test } from 'vitest'
import { listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import type { FirstView } from '#local/store/first-view.ts'
import { withFirstView } from '#sw/first-view-page.ts'
import { createCaches, origin } from './memory-cache-storage.ts'

const shell = '<!doctype html>\n<html lang="en"><head></head><body><div id="root"></div></body></html>'
const path = '/riverside/1/subject/7/select-package'
const image = '/photos/grant/1/preview-abc'
const stylesheet = '/assets/ui-abc.css'
const view: FirstView = {
  startTag: '<html lang="en" style="--studio-accent-light: #123456">',
  markup: `<main><h1>Ada Lovelace</h1><img src="${image}"></main>`,
  image,
  stylesheets: [stylesheet],
}

/** Opens a path after the device has stored a first view for `path`; `images` are the cached images of its subject. */
const openPage = async ({
  stored = view,
  images = [image],
  opened = path,
}: {
  stored?: object
  images?: string[]
  opened?: string
}) => {
  const caches = createCaches()
  const cache = await caches.open(catalogueCache)
  const imagesUrl = pathOf(listImages, { jobId: 1, subjectId: 7 }, withReplacements)
  await cache.put(origin + path, Response.json(stored))
  await cache.put(origin + imagesUrl, Response.json({ data: images.map((previewUrl) => ({ previewUrl })) }))
  const deps = { caches, files: new Set([stylesheet]) }
  const response = await withFirstView(
    deps,
    opened,
    new Response(shell, { headers: { 'content-security-policy': 'p' } }),
  )
  return { html: await response.text(), policy: response.headers.get('content-security-policy') }
}

test('a screen begins with what it showed last, in the studio’s colors, under the same policy', async () => {
  const { html, policy } = await openPage({})
  expect(html).toContain(view.startTag)
  expect(html).toContain(`<link rel="stylesheet" crossorigin href="${stylesheet}"></head>`)
  expect(html).toContain(`<div id="first-view" inert aria-hidden="true">${view.markup}</div><div id="root"></div>`)
  expect(policy).toBe('p')
})

test.each([
  ['another screen', { opened: '/riverside/1/cart' }],
  ['a screen without a first view', { opened: '/riverside/1/subject/8/select-package' }],
  ['an image that was withdrawn', { stored: { ...view, image: null } }],
  ['an image that the subject no longer has', { images: ['/photos/grant/2/preview-def'] }],
  ['a first view of another build', { stored: { ...view, stylesheets: ['/assets/ui-old.css'] } }],
])('the page of %s is empty', async (_, options) => {
  expect((await openPage(options)).html).toBe(shell)
})

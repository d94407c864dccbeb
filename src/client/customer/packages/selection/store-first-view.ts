import { listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { type FirstView, isImageListed } from '#local/store/first-view.ts'

const pathsOfStylesheets = (): string[] =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => new URL(href).pathname)

/**
 * Stores the screen of a subject from its top to an image, for the worker to show when its address is opened again. Pages served over
 * plain http have no Cache Storage.
 */
export const storeFirstView = async (
  { jobId, subjectId }: { jobId: number; subjectId: number },
  image: string,
): Promise<void> => {
  const element = document.querySelector(`main img[src="${image}"]`)
  const root = document.getElementById('root')
  if (!root?.contains(element) || !element || !('caches' in globalThis)) return
  const range = new Range()
  range.setStart(root, 0)
  range.setEndAfter(element)
  const page = document.createElement('div')
  page.append(range.cloneContents())
  const html = document.documentElement.cloneNode() as HTMLElement // a copy of an HTML element
  const view: FirstView = {
    startTag: html.outerHTML.replace('</html>', ''),
    markup: page.innerHTML,
    image,
    stylesheets: pathsOfStylesheets(),
  }
  const { pathname } = window.location
  const cache = await caches.open(catalogueCache)
  await cache.put(pathname, Response.json(view))
  // The image may have been withdrawn while this was stored. On a first visit, its list is cached only after this.
  const imagesUrl = pathOf(listImages, { jobId, subjectId }, withReplacements)
  if ((await isImageListed(cache, imagesUrl, image)) === false) await cache.delete(pathname)
}

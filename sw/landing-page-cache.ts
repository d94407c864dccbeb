import { isSlug } from '#domain/studio/studio-slug.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { cacheDecision } from './cache-rules.ts'
import { putCatalogueResponse } from './catalogue-cache.ts'

export type LandingPageCacheDeps = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  origin: string
  /** The paths of this build's files. */
  files: ReadonlySet<string>
}

/** Home, and a studio's own page. */
export const mayBeLandingPage = (pathname: string): boolean => pathname === '/' || isSlug(pathname.slice(1))

const filesNamedIn = (html: string): string[] => [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)

/**
 * Landing pages as the server rendered them last. They are shown before any script runs, while the empty shell shows
 * nothing until then. They are refreshed in the background, so that a studio's new name or logo appears when the page
 * is opened next.
 */
export const createLandingPageCache = ({ caches, fetch, origin, files }: LandingPageCacheDeps) => {
  // The empty shell is no landing page, and a page of another build would request files that this build does not have.
  const isOurs = (html: string): boolean =>
    html.includes('id="landing">{') && filesNamedIn(html).every((path) => files.has(path))

  const cachedPage = async (pathname: string): Promise<Response | undefined> => {
    const cache = await caches.open(catalogueCache)
    const page = await cache.match(pathname, { ignoreVary: true })
    return page && isOurs(await page.clone().text()) ? page : undefined
  }

  /** Fetches a page and stores it. The cache is opened before the request, as for every catalogue response. */
  const refresh = async (pathname: string): Promise<void> => {
    const cache = await caches.open(catalogueCache)
    const page = await fetch(new Request(origin + pathname))
    if (cacheDecision(page.status) === 'keep-old') return
    const html = await page.clone().text()
    // A redirected page must not be stored under this address, and a page of a newer build makes the stored one
    // outdated.
    if (page.status !== 200 || page.redirected || !isOurs(html)) {
      await cache.delete(pathname, { ignoreVary: true })
      return
    }
    const cached = await cache.match(pathname, { ignoreVary: true })
    if ((await cached?.text()) !== html) await putCatalogueResponse(cache, pathname, page)
  }

  return { cachedPage, refresh }
}

import { isSlug } from '#domain/studio/studio-slug.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { cacheDecision } from './cache-rules.ts'
import { putCatalogueResponse } from './put-catalogue-response.ts'

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
 * The pages that the server fills in, as it filled them last: painted before any script runs, where the empty shell shows nothing until
 * one has. They are renewed behind the screen, so that what a studio changes of its name or logo is seen at the visit after.
 */
export const createLandingPageCache = ({ caches, fetch, origin, files }: LandingPageCacheDeps) => {
  // The empty shell is none, and another build's page would ask for files that are not here.
  const isOurs = (html: string): boolean =>
    html.includes('id="landing">{') && filesNamedIn(html).every((path) => files.has(path))

  const kept = async (pathname: string): Promise<Response | undefined> => {
    const cache = await caches.open(catalogueCache)
    const page = await cache.match(pathname, { ignoreVary: true })
    return page && isOurs(await page.clone().text()) ? page : undefined
  }

  /** Asks the server for a page and keeps it. The cache is opened before asking, as for any answer of the catalogue. */
  const renew = async (pathname: string): Promise<void> => {
    const cache = await caches.open(catalogueCache)
    const page = await fetch(new Request(origin + pathname))
    if (cacheDecision(page.status) === 'keep-old') return
    const html = await page.clone().text()
    // A page that another address led to may not answer this one; where a newer build is served, what this one keeps grows old.
    if (page.status !== 200 || page.redirected || !isOurs(html)) {
      await cache.delete(pathname, { ignoreVary: true })
      return
    }
    const before = await cache.match(pathname, { ignoreVary: true })
    if ((await before?.text()) !== html) await putCatalogueResponse(cache, pathname, page)
  }

  return { kept, renew }
}

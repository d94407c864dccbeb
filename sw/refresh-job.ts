import { catalogueCache } from '#local/store/cache-names.ts'
import { isAvailability, jobOf } from './cache-rules.ts'
import { type PrefetchDeps, prefetch } from './prefetch.ts'

export type RefreshJobDeps = Omit<PrefetchDeps, 'catalogue'> & {
  caches: CacheStorage
  /** Fetches and stores a response. */
  refetch: PrefetchDeps['catalogue']
}

/**
 * Refreshes the cached responses of a job, and `urls`, in a new session. What the new session may not see is removed,
 * and what cannot be fetched stays: the network may be lost in a minute. The response that lists the grants comes last,
 * since the images of former grants are removed with it; if not all others arrived, the next screen fetches it.
 */
export const refreshJob = async (
  jobId: number,
  urls: readonly string[],
  { caches, refetch, ...deps }: RefreshJobDeps,
): Promise<void> => {
  const cachedUrls = (await (await caches.open(catalogueCache)).keys()).map(({ url }) => new URL(url))
  const urlsToRefresh = [
    ...cachedUrls.filter(({ pathname }) => jobOf(pathname) === jobId),
    ...urls.map((url) => new URL(url, deps.origin)),
  ]
  const hrefs = [...new Set(urlsToRefresh.map(({ href }) => href))]
  const listsGrants = (href: string): boolean => isAvailability(new URL(href).pathname)
  const prefetchDeps = { ...deps, catalogue: refetch }
  const otherHrefs = hrefs.filter((href) => !listsGrants(href))
  if (await prefetch(otherHrefs, prefetchDeps)) await prefetch(hrefs.filter(listsGrants), prefetchDeps)
}

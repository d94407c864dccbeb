import { catalogueCache } from '#local/store/cache-names.ts'
import { isAvailability, jobOf } from './cache-rules.ts'
import { type PrefetchDeps, prefetch } from './prefetch.ts'

export type RefreshJobDeps = Omit<PrefetchDeps, 'catalogue'> & {
  caches: CacheStorage
  /** Asks, and keeps what the server says. */
  askAfresh: PrefetchDeps['catalogue']
}

/**
 * An event is in a new visit: what was kept of it, and `urls`, is asked for once more. What the new visit may not see goes, and what
 * cannot be had now stays as it was: the network that brought the visit may be gone in a minute. The answer that names the grants is
 * the last, since the photos of the former ones go with it; and where not all the others came, the next screen is soon enough for it.
 */
export const refreshJob = async (
  jobId: number,
  urls: readonly string[],
  { caches, askAfresh, ...parts }: RefreshJobDeps,
): Promise<void> => {
  const kept = (await (await caches.open(catalogueCache)).keys()).map(({ url }) => new URL(url))
  const wanted = [
    ...kept.filter(({ pathname }) => jobOf(pathname) === jobId),
    ...urls.map((url) => new URL(url, parts.origin)),
  ]
  const hrefs = [...new Set(wanted.map(({ href }) => href))]
  const namesGrants = (href: string): boolean => isAvailability(new URL(href).pathname)
  const ways = { ...parts, catalogue: askAfresh }
  const others = hrefs.filter((href) => !namesGrants(href))
  if (await prefetch(others, ways)) await prefetch(hrefs.filter(namesGrants), ways)
}

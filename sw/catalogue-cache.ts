import { imagesHeader } from '#contract/shapes/responses.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { imageUrlsIn, withoutImages } from '#local/store/purge-images.ts'
import {
  accessDeniedFor,
  cacheDecision,
  entriesBeyond,
  isJobInfo,
  jobOf,
  maxCatalogueResponses,
  mayServeStale,
} from './cache-rules.ts'
import type { ResponseListener } from './grant-tracker.ts'

/** Stores a catalogue response; deletes the oldest ones if there are too many. */
export const putCatalogueResponse = async (cache: Cache, url: string, response: Response): Promise<void> => {
  const headers = new Headers(response.headers)
  // A stored response does not show which images are valid later.
  headers.delete(imagesHeader)
  await cache.put(url, new Response(response.body, { status: response.status, headers }))
  for (const oldest of entriesBeyond(await cache.keys(), maxCatalogueResponses)) await cache.delete(oldest)
}

export type CatalogueCacheDeps = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  /** Notifies every open page that a response it may show is outdated. */
  notifyPages: (url: string) => Promise<void>
  /** Called before each request; the returned function receives the response, whose grants are then recorded. */
  listen: () => Promise<ResponseListener>
  /** Whether stored codes may restore access that the response denied. */
  canRestoreAccess: (jobId: number, reason: 'code' | 'person') => Promise<boolean>
}

export type CatalogueResult = { response: Response; afterwards: Promise<unknown> }

/** Returns the cached response at once and refreshes it in the background; without one, fetches it. */
export const createCatalogueCache = ({ caches, fetch, notifyPages, listen, canRestoreAccess }: CatalogueCacheDeps) => {
  /**
   * Fetches and stores the response. The cache is opened first: when the session ends meanwhile, the cache is deleted,
   * and a late response is deleted with it.
   */
  const refresh = async (request: Request, cache: Cache): Promise<Response> => {
    const url = new URL(request.url)
    const recordResponse = await listen()
    // A request of our own: the page may be closed before the response arrives, which is stored anyway.
    const response = await fetch(new Request(request.url, { headers: request.headers }))
    const decision = cacheDecision(response.status)
    if (decision === 'keep-old') return response
    const cached = await cache.match(request.url, { ignoreVary: true })
    const answer = await response.clone().text()
    const reason = accessDeniedFor({ pathname: url.pathname, status: response.status, answer })
    const jobId = jobOf(url.pathname)
    // The job's own information stays readable while a cart waits for another code.
    if (reason === 'code' && isJobInfo(url.pathname)) return response
    // Between two sessions the cached response is all there is: the network may be lost before the next session begins.
    if (reason && jobId !== null && (await canRestoreAccess(jobId, reason))) return response
    if (decision === 'keep-new' && !(await recordResponse(url, answer))) return response
    const isSame = (await cached?.text()) === answer
    const mayStay = decision === 'keep-new' && mayServeStale(url.pathname, answer)
    if (!mayStay) await cache.delete(request.url, { ignoreVary: true })
    else if (!(cached && isSame && isRecent(cached, response)))
      await putCatalogueResponse(cache, request.url, response.clone())
    if (cached && !isSame) await notifyPages(request.url)
    return response
  }

  const answer = async (request: Request): Promise<CatalogueResult> => {
    const cache = await caches.open(catalogueCache)
    const cached = await cache.match(request.url, { ignoreVary: true })
    const refreshing = refresh(request, cache)
    if (cached) return { response: cached, afterwards: ignoring('the cached response was sent', () => refreshing) }
    const response = await refreshing
    return { response, afterwards: Promise.resolve() }
  }

  /** Fetches the response, even if it is cached, and stores it like any other. */
  const refetch = async (request: Request): Promise<CatalogueResult> => {
    const response = await refresh(request, await caches.open(catalogueCache))
    return { response, afterwards: Promise.resolve() }
  }

  const readCachedResponses = async (cache: Cache): Promise<{ url: string; response: Response; text: string }[]> => {
    const responses = []
    for (const { url } of await cache.keys()) {
      const response = await cache.match(url, { ignoreVary: true })
      if (response) responses.push({ url, response, text: await response.text() })
    }
    return responses
  }

  /** The URLs of all images in cached responses. */
  const cachedImageUrls = async (): Promise<string[]> =>
    (await readCachedResponses(await caches.open(catalogueCache))).flatMap(({ text }) => imageUrlsIn(text))

  /** Removes withdrawn images from cached responses, so that no screen shows one before the next response arrives. */
  const withdraw = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    const cache = await caches.open(catalogueCache)
    const isWithdrawn = (address: string): boolean => withdrawn.has(address)
    for (const { url, response, text } of await readCachedResponses(cache)) {
      if (!imageUrlsIn(text).some(isWithdrawn)) continue
      const body = JSON.stringify(withoutImages(JSON.parse(text), isWithdrawn))
      await cache.put(url, new Response(body, { status: response.status, headers: response.headers }))
    }
  }

  return { answer, refetch, cachedImageUrls, withdraw }
}

const recentMs = 60_000

/**
 * Whether a response is less than a minute older than another. An equal response is not rewritten on every request: a
 * browser that is killed while writing loses both versions.
 */
const isRecent = (older: Response, newer: Response): boolean => {
  const dateOf = ({ headers }: Response): number => Date.parse(headers.get('date') ?? '')
  return dateOf(newer) - dateOf(older) < recentMs
}

import { imagesHeader } from '#contract/shapes/responses.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { catalogueCache } from '#local/store/cache-names.ts'
import { isFirstView } from '#local/store/first-view.ts'
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
  /** The images of each withdrawal since this worker started: they are removed from responses to earlier requests. */
  const withdrawals: ReadonlySet<string>[] = []

  /**
   * Fetches and stores the response. The cache is opened first: when the session ends meanwhile, the cache is deleted,
   * and a late response is deleted with it.
   */
  const refresh = async (request: Request, cache: Cache): Promise<Response> => {
    const url = new URL(request.url)
    const withdrawalsBefore = withdrawals.length
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
    for (const withdrawn of withdrawals.slice(withdrawalsBefore)) await removeImages(cache, request.url, withdrawn)
    const hasWithdrawn = withdrawals.length > withdrawalsBefore
    if ((cached && !isSame) || hasWithdrawn) await notifyPages(request.url)
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

  /** The URLs of all images in cached responses. */
  const cachedImageUrls = async (): Promise<string[]> => {
    const cache = await caches.open(catalogueCache)
    const imageUrls: string[] = []
    for (const { url } of await cache.keys())
      imageUrls.push(...imageUrlsIn((await (await matchUrl(cache, url))?.text()) ?? ''))
    return imageUrls
  }

  /** Removes withdrawn images from cached responses, so that no screen shows one before the next response arrives. */
  const withdraw = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    withdrawals.push(withdrawn)
    const cache = await caches.open(catalogueCache)
    const urls = (await cache.keys()).map(({ url }) => url)
    for (const url of urls) await removeImages(cache, url, withdrawn)
    // First views that an open page has stored meanwhile. The page deletes those that it stores after this.
    for (const { url } of await cache.keys()) if (!urls.includes(url)) await removeImages(cache, url, withdrawn)
  }

  return { answer, refetch, cachedImageUrls, withdraw }
}

const matchUrl = (cache: Cache, url: string): Promise<Response | undefined> => cache.match(url, { ignoreVary: true })

/** Removes withdrawn images from a cached response; a first view, whose markup shows them, is deleted. */
const removeImages = async (cache: Cache, url: string, withdrawn: ReadonlySet<string>): Promise<void> => {
  const response = await matchUrl(cache, url)
  const text = (await response?.text()) ?? ''
  const paths = text.match(/\/photos\/[\w/-]+/g) ?? []
  if (!response || !paths.some((path) => withdrawn.has(path))) return
  const data: unknown = JSON.parse(text)
  if (isFirstView(data)) {
    await cache.delete(url, { ignoreVary: true })
    return
  }
  const body = JSON.stringify(withoutImages(data, (path) => withdrawn.has(path)))
  await cache.put(url, new Response(body, { status: response.status, headers: response.headers }))
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

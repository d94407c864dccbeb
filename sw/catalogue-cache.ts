import { catalogueCache } from '#local/store/cache-names.ts'
import { imageUrlsIn, withoutImages } from '#local/store/purge-images.ts'
import { accessDeniedFor, cacheDecision, isJobInfo, jobOf, mayServeStale } from './cache-rules.ts'
import type { ResponseListener } from './grant-tracker.ts'
import { putCatalogueResponse } from './put-catalogue-response.ts'

export type CatalogueCacheDeps = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  /** Tells every open page that an answer it may show is not the newest any more. */
  notifyPages: (url: string) => Promise<void>
  /** Before each question; what it gives hears the fresh answer: grants come and go with them. */
  listen: () => Promise<ResponseListener>
  /** Whether what the device was turned away for may be opened again by what it keeps. */
  canRestoreAccess: (jobId: number, reason: 'code' | 'person') => Promise<boolean>
}

export type CatalogueResult = { response: Response; afterwards: Promise<unknown> }

/** The kept answer at once with the fresh one coming behind it, or the fresh one where none is kept. */
export const createCatalogueCache = ({
  caches,
  fetch,
  notifyPages: tell,
  listen,
  canRestoreAccess: mayOpenAgain,
}: CatalogueCacheDeps) => {
  /**
   * Asks the server and keeps what it says. The cache is opened before asking: when the session ends meanwhile the cache is deleted,
   * and an answer that comes too late goes down with it.
   */
  const askAgain = async (request: Request, cache: Cache): Promise<Response> => {
    const url = new URL(request.url)
    const hear = await listen()
    // A letter of our own: the page may be gone before the answer, which is kept all the same.
    const response = await fetch(new Request(request.url, { headers: request.headers }))
    const decision = cacheDecision(response.status)
    if (decision === 'keep-old') return response
    const before = await cache.match(request.url, { ignoreVary: true })
    const answer = await response.clone().text()
    const reason = accessDeniedFor({ pathname: url.pathname, status: response.status, answer })
    const jobId = jobOf(url.pathname)
    // A cart that waits for another code is read between these.
    if (reason === 'code' && isJobInfo(url.pathname)) return response
    // Between two visits what was kept is what there is: the network may be gone before the next one begins.
    if (reason && jobId !== null && (await mayOpenAgain(jobId, reason))) return response
    if (decision === 'keep-new' && !(await hear(url, answer))) return response
    const isSame = (await before?.text()) === answer
    const mayStay = decision === 'keep-new' && mayServeStale(url.pathname, answer)
    if (!mayStay) await cache.delete(request.url, { ignoreVary: true })
    else if (!(before && isSame && isRecent(before, response)))
      await putCatalogueResponse(cache, request.url, response.clone())
    if (before && !isSame) await tell(request.url)
    return response
  }

  const answer = async (request: Request): Promise<CatalogueResult> => {
    const cache = await caches.open(catalogueCache)
    const kept = await cache.match(request.url, { ignoreVary: true })
    const asking = askAgain(request, cache)
    if (kept) return { response: kept, afterwards: asking.catch(() => undefined) }
    const response = await asking
    return { response, afterwards: Promise.resolve() }
  }

  /** The fresh answer alone, kept as any other. */
  const askAfresh = async (request: Request): Promise<CatalogueResult> => {
    const response = await askAgain(request, await caches.open(catalogueCache))
    return { response, afterwards: Promise.resolve() }
  }

  const keptAnswers = async (cache: Cache): Promise<{ url: string; response: Response; text: string }[]> => {
    const kept = []
    for (const { url } of await cache.keys()) {
      const response = await cache.match(url, { ignoreVary: true })
      if (response) kept.push({ url, response, text: await response.text() })
    }
    return kept
  }

  /** The addresses of all photos that kept answers name. */
  const photosNamed = async (): Promise<string[]> =>
    (await keptAnswers(await caches.open(catalogueCache))).flatMap(({ text }) => imageUrlsIn(text))

  /** Removes withdrawn photos from kept answers, so that no screen shows one before the fresh answer is here. */
  const withdraw = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    const cache = await caches.open(catalogueCache)
    const isGone = (address: string): boolean => withdrawn.has(address)
    for (const { url, response, text } of await keptAnswers(cache)) {
      if (!imageUrlsIn(text).some(isGone)) continue
      const body = JSON.stringify(withoutImages(JSON.parse(text), isGone))
      await cache.put(url, new Response(body, { status: response.status, headers: response.headers }))
    }
  }

  return { answer, askAfresh, photosNamed, withdraw }
}

const recentMs = 60_000

/**
 * Whether an answer is hardly older than another. What says the same is not written once more at each look: a browser that is killed as it
 * writes keeps neither the old nor the new.
 */
const isRecent = (kept: Response, fresh: Response): boolean => {
  const saidAt = ({ headers }: Response): number => Date.parse(headers.get('date') ?? '')
  return saidAt(fresh) - saidAt(kept) < recentMs
}

import { catalogueCache } from '../src/local/cache-names.ts'
import { afterAsking, beyond, mayShowLater, mostCatalogueAnswers } from './caching.ts'

export type CatalogueParts = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  /** Tells every open page that an answer it may show is not the newest any more. */
  tell: (url: string) => Promise<void>
  /** Hears of each fresh answer with the time it was asked for: grants come and go with them. */
  heard: (url: URL, answer: string, askedAt: number) => Promise<void>
  clock: () => number
}

export type CatalogueAnswer = { response: Response; afterwards: Promise<unknown> }

/** The kept answer at once with the fresh one coming behind it, or the fresh one where none is kept. */
export const createCatalogue = ({ caches, fetch, tell, heard, clock }: CatalogueParts) => {
  /**
   * Asks the server and keeps what it says. The cache is opened before asking: when the session ends meanwhile the cache is deleted,
   * and an answer that comes too late goes down with it.
   */
  const askAgain = async (request: Request, cache: Cache): Promise<Response> => {
    const url = new URL(request.url)
    const askedAt = clock()
    // A letter of our own: the page may be gone before the answer, which is kept all the same.
    const response = await fetch(new Request(request.url, { headers: request.headers }))
    const decision = afterAsking(response.status)
    if (decision === 'keep-old') return response
    const before = await cache.match(request.url, { ignoreVary: true })
    const answer = await response.clone().text()
    if (decision === 'keep-new' && mayShowLater(url.pathname, answer)) await keep(cache, request.url, response.clone())
    else await cache.delete(request.url, { ignoreVary: true })
    if (decision === 'keep-new') await heard(url, answer, askedAt)
    if (before && (await before.text()) !== answer) await tell(request.url)
    return response
  }

  const answer = async (request: Request): Promise<CatalogueAnswer> => {
    const cache = await caches.open(catalogueCache)
    const kept = await cache.match(request.url, { ignoreVary: true })
    const asking = askAgain(request, cache)
    if (kept) return { response: kept, afterwards: asking.catch(() => undefined) }
    const response = await asking
    return { response, afterwards: Promise.resolve() }
  }

  return { answer }
}

const keep = async (cache: Cache, url: string, response: Response): Promise<void> => {
  await cache.put(url, response)
  for (const old of beyond(await cache.keys(), mostCatalogueAnswers)) await cache.delete(old)
}

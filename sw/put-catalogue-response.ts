import { photosHeader } from '#contract/shapes/responses.ts'
import { beyond, mostCatalogueAnswers } from './cache-rules.ts'

/** Keeps an answer of the catalogue, in place of the oldest where there are too many. */
export const keep = async (cache: Cache, url: string, response: Response): Promise<void> => {
  const headers = new Headers(response.headers)
  // Shown later, it says nothing of the photos at that time.
  headers.delete(photosHeader)
  await cache.put(url, new Response(response.body, { status: response.status, headers }))
  for (const old of beyond(await cache.keys(), mostCatalogueAnswers)) await cache.delete(old)
}

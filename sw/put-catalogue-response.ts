import { imagesHeader } from '#contract/shapes/responses.ts'
import { entriesBeyond, maxCatalogueResponses } from './cache-rules.ts'

/** Keeps an answer of the catalogue, in place of the oldest where there are too many. */
export const putCatalogueResponse = async (cache: Cache, url: string, response: Response): Promise<void> => {
  const headers = new Headers(response.headers)
  // Shown later, it says nothing of the photos at that time.
  headers.delete(imagesHeader)
  await cache.put(url, new Response(response.body, { status: response.status, headers }))
  for (const old of entriesBeyond(await cache.keys(), maxCatalogueResponses)) await cache.delete(old)
}

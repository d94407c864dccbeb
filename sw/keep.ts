import { beyond, mostCatalogueAnswers } from './caching.ts'

/** Keeps an answer of the catalogue, in place of the oldest where there are too many. */
export const keep = async (cache: Cache, url: string, response: Response): Promise<void> => {
  await cache.put(url, response)
  for (const old of beyond(await cache.keys(), mostCatalogueAnswers)) await cache.delete(old)
}

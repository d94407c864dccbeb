import { assetCache } from '#local/store/cache-names.ts'
import { entriesBeyond, maxAssets } from './cache-rules.ts'

export type AssetCacheDeps = { caches: CacheStorage; fetch: (request: Request) => Promise<Response> }

/** A hashed file never changes: from the cache, else fetched and kept. Also for builds of before, which an old tab still asks for. */
export const cachedAsset = async ({ caches, fetch }: AssetCacheDeps, request: Request): Promise<Response> => {
  const cache = await caches.open(assetCache)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status !== 200) return response
  await cache.put(request, response.clone())
  for (const old of entriesBeyond(await cache.keys(), maxAssets)) await cache.delete(old)
  return response
}

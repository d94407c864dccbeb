import { assetCache, catalogueCache, imageCache } from '#local/store/cache-names.ts'

const current = [assetCache, catalogueCache, imageCache]

const kindOf = (name: string): string => name.replace(/\d+$/, '')
const kinds = current.map(kindOf)

/** Drops what other builds kept under other numbers: nobody would look there again, nor drop the photos in it when a visit ends. */
export const deleteOutdatedCaches = async (caches: CacheStorage): Promise<void> => {
  for (const name of await caches.keys())
    if (kinds.includes(kindOf(name)) && !current.includes(name)) await caches.delete(name)
}

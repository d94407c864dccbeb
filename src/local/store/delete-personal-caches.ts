import { personalCaches } from './cache-names.ts'

/** Drops all that was cached of whoever was here. Pages that came over plain http have no caches. */
export const deletePersonalCaches = async (caches: CacheStorage | undefined): Promise<void> => {
  for (const name of personalCaches) await caches?.delete(name)
}

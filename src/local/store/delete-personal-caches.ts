import { personalCaches } from './cache-names.ts'

/** Deletes the caches that hold customers' data. Pages served over plain http have no Cache Storage. */
export const deletePersonalCaches = async (caches: CacheStorage | undefined): Promise<void> => {
  for (const name of personalCaches) await caches?.delete(name)
}

/** The caches besides the precached shell. Incrementing a number drops what an older build cached. */
export const catalogueCache = 'catalogue-v1'
export const imageCache = 'photos-v1'
/** Hashed files of this and earlier builds: an old tab never goes blank. */
export const assetCache = 'assets-v1'

/** The caches that hold customers' data. */
export const personalCaches = [catalogueCache, imageCache]

/** Deletes the caches that hold customers' data. Pages served over plain http have no Cache Storage. */
export const deletePersonalCaches = async (caches: CacheStorage | undefined): Promise<void> => {
  for (const name of personalCaches) await caches?.delete(name)
}

/** The tag of the Background Sync event that wakes the sender. */
export const syncTag = 'outbox'

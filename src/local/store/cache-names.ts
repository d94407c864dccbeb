/** Caches beside the precached shell. A new number drops what an older build kept. */
export const catalogueCache = 'catalogue-v1'
export const imageCache = 'photos-v1'
/** Hashed files of this and earlier builds: an old tab never goes blank. */
export const assetCache = 'assets-v1'

/** What belongs to the person on this device, not to the product. */
export const personalCaches = [catalogueCache, imageCache]

/** The tag of the Background Sync event that wakes the sender. */
export const syncTag = 'outbox'

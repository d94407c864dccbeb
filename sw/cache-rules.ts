import {
  getAvailability,
  getJob,
  getJobPreferences,
  getStudio,
  getStudioFeatures,
  getSubject,
  JobAvailability,
  listImages,
  listPackages,
  lookUpJob,
} from '#contract/customer/discovery-calls.ts'
import { browseSubjects, listGallerySections } from '#contract/customer/find-subjects.ts'
import { getJobServices, listGreenScreens, listJobFields } from '#contract/customer/job-offers.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { assetCache, catalogueCache, imageCache } from '#local/store/cache-names.ts'
import { imageUrlsIn } from '#local/store/purge-images.ts'

/** Calls whose responses are the catalogue: stored, shown at once and refreshed in the background. */
const catalogueCalls = [
  getStudio,
  getStudioFeatures,
  getAvailability,
  lookUpJob,
  getJob,
  getJobPreferences,
  getJobServices,
  listPackages,
  browseSubjects,
  listGallerySections,
  getSubject,
  listImages,
  listGreenScreens,
  listJobFields,
]

const patternOf = ({ path }: AnyCall): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
const cataloguePaths = catalogueCalls.map(patternOf)
const availabilityPath = patternOf(getAvailability)
/** Calls about a job itself, open to every session that has its code; they contain nothing about subjects. */
const jobInfoPaths = [lookUpJob, getJob, getJobPreferences].map(patternOf)

export type CacheableRequest = { method: string; url: URL; hasToken: boolean }

export const isCatalogue = ({ method, url, hasToken }: CacheableRequest): boolean =>
  method === 'GET' && !hasToken && cataloguePaths.some((path) => path.test(url.pathname))

export const isAvailability = (pathname: string): boolean => availabilityPath.test(pathname)

export const isJobInfo = (pathname: string): boolean => jobInfoPaths.some((path) => path.test(pathname))

/** Hashed files of any build. */
export const isAsset = ({ method, url }: CacheableRequest): boolean =>
  method === 'GET' && url.pathname.startsWith('/assets/')

/** Navigations (path and query) that are not answered with the empty shell: the server's own addresses, and files. */
export const nonShellPaths = [/^\/api\//, /^\/photos\//, /^\/assets\//, /^\/[^/?]+\.[^/?]+(\?.*)?$/]

export type GrantedImage = { path: string; grantId: string; imageId: number }

const imagePath = /^\/photos\/([^/]+)\/(\d+)\/[^/]+$/

/**
 * The path, grant and image id in the URL of a customer's image; null for anything else, including the signed URLs of
 * staff (with a query).
 */
export const parseImageUrl = ({ pathname, search }: { pathname: string; search: string }): GrantedImage | null => {
  const [path, grantId, imageId] = imagePath.exec(pathname) ?? []
  return path && grantId && search === '' ? { path, grantId, imageId: Number(imageId) } : null
}

/** Matches thumbnails, `…/thumb-{hash}`, which are fetched even when the customer's data saver is on. */
export const isThumbnail = ({ path }: GrantedImage): boolean => /\/thumb-[^/]*$/.test(path)

/** All image URLs in a response, without duplicates. */
export const imagesIn = (answer: string): GrantedImage[] =>
  imageUrlsIn(answer).flatMap((pathname) => parseImageUrl({ pathname, search: '' }) ?? [])

const jobPath = /\/jobs\/(\d+)(?:\/|$)/

/** The job id in a URL, or null. */
export const jobOf = (pathname: string): number | null => {
  const digits = jobPath.exec(pathname)?.[1]
  return digits ? Number(digits) : null
}

/** The data of an availability response, or null. */
export const availabilityIn = (answer: string): JobAvailability | null => {
  try {
    const { data } = JSON.parse(answer)
    return JobAvailability.is(data) ? data : null
  } catch {
    return null
  }
}

/**
 * Whether a cached response may be shown before the new one arrives. A response that denies access never may: a parent
 * who has just entered the code, or returned when the gallery opened, must not be turned away by old data.
 */
export const mayServeStale = (pathname: string, answer: string): boolean => {
  if (!isAvailability(pathname)) return true
  const availability = availabilityIn(answer)
  return availability?.codeGiven === true && isOpen(availability)
}

export type ReceivedResponse = { pathname: string; status: number; answer: string }

/**
 * Why a response denies access that stored codes or confirmed subjects may restore. `code`: this session has not sent
 * the code; `person`: any other 403, usually an unconfirmed subject; whether it can be restored is decided by the
 * caller. Null for every other response, such as 404, 410 or a closed job.
 */
export const accessDeniedFor = ({ pathname, status, answer }: ReceivedResponse): 'code' | 'person' | null => {
  if (status === 200) {
    const availability = isAvailability(pathname) ? availabilityIn(answer) : null
    return availability && !availability.codeGiven && isOpen(availability) ? 'code' : null
  }
  if (status !== 403) return null
  return answer.includes('"code-needed"') ? 'code' : 'person'
}

const isOpen = ({ published, archived, prepay, gallery }: JobAvailability): boolean =>
  published && !archived && (prepay.available || gallery.available)

/**
 * What to do with the cached response after a refresh. A denial (403, 404, 410) drops it, unless the caller makes
 * an exception because the access may be restored; a server error or a lost session (401) does not.
 */
export const cacheDecision = (status: number): 'keep-new' | 'drop' | 'keep-old' => {
  if (status === 200) return 'keep-new'
  return [403, 404, 410].includes(status) ? 'drop' : 'keep-old'
}

/** Entries beyond the maximum size of a cache, oldest first; `entries` are in insertion order. */
export const entriesBeyond = <Entry>(entries: readonly Entry[], maxEntries: number): Entry[] =>
  entries.slice(0, Math.max(0, entries.length - maxEntries))

export const maxCatalogueResponses = 200
export const maxAssets = 200
export const maxImages = 300
const maxImageBytes = 100_000_000
/** Images that are in no cart are removed after this time without contact with the server. */
export const imageLifetimeMs = 7 * 24 * 3_600_000

/** An image on the device. `storedAt` in milliseconds since 1970. */
export type CachedImage = GrantedImage & { storedAt: number; bytes: number }

export type ImageCacheRules = {
  /** When the server last confirmed each live grant. */
  seenAtByGrant: ReadonlyMap<string, number>
  /** Grants that the server has revoked. */
  withdrawn: ReadonlySet<string>
  /** Images chosen in a cart. */
  pinned: ReadonlySet<number>
  now: number
}

/**
 * The images to remove: those of revoked grants always; unpinned ones seven days after the last contact; then the
 * oldest unpinned ones while there are too many or they are too large. `images` are in insertion order.
 */
export const imagesToEvict = (images: readonly CachedImage[], rules: ImageCacheRules): CachedImage[] => {
  const { seenAtByGrant, withdrawn, pinned, now } = rules
  const isExpired = (image: CachedImage): boolean => {
    if (withdrawn.has(image.grantId)) return true
    const contact = seenAtByGrant.get(image.grantId) ?? image.storedAt
    return !pinned.has(image.imageId) && now - contact > imageLifetimeMs
  }
  const expired = images.filter(isExpired)
  const remaining = images.filter((image) => !expired.includes(image))
  return [...expired, ...findExcess(remaining, pinned)]
}

const findExcess = (images: readonly CachedImage[], pinned: ReadonlySet<number>): CachedImage[] => {
  let count = images.length
  let bytes = images.reduce((sum, image) => sum + image.bytes, 0)
  const dropped: CachedImage[] = []
  for (const image of images) {
    if (count <= maxImages && bytes <= maxImageBytes) break
    if (pinned.has(image.imageId)) continue
    dropped.push(image)
    count -= 1
    bytes -= image.bytes
  }
  return dropped
}

const currentCaches = [assetCache, catalogueCache, imageCache]

const kindOf = (name: string): string => name.replace(/\d+$/, '')
const kinds = currentCaches.map(kindOf)

/**
 * Deletes the caches whose number is not the current one: no code reads them, and their images would outlive the
 * session.
 */
export const deleteOutdatedCaches = async (caches: CacheStorage): Promise<void> => {
  for (const name of await caches.keys())
    if (kinds.includes(kindOf(name)) && !currentCaches.includes(name)) await caches.delete(name)
}

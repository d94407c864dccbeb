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
import { browseSubjects } from '#contract/customer/find-subjects.ts'
import { getJobServices, listGreenScreens, listJobFields } from '#contract/customer/job-offers.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { imageUrlsIn } from '#local/store/purge-images.ts'

/** The calls whose answers are the catalogue: kept, shown at once, and asked for again behind the screen. */
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
  getSubject,
  listImages,
  listGreenScreens,
  listJobFields,
]

const patternOf = ({ path }: AnyCall): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
const cataloguePaths = catalogueCalls.map(patternOf)
const availabilityPath = patternOf(getAvailability)
/** What an event says of itself to whoever gave its code, and nothing of anybody. */
const eventPaths = [lookUpJob, getJob, getJobPreferences].map(patternOf)

export type CacheableRequest = { method: string; url: URL; hasToken: boolean }

export const isCatalogue = ({ method, url, hasToken }: CacheableRequest): boolean =>
  method === 'GET' && !hasToken && cataloguePaths.some((path) => path.test(url.pathname))

export const isAvailability = (pathname: string): boolean => availabilityPath.test(pathname)

export const isJobInfo = (pathname: string): boolean => eventPaths.some((path) => path.test(pathname))

/** Hashed files of any build. */
export const isAsset = ({ method, url }: CacheableRequest): boolean =>
  method === 'GET' && url.pathname.startsWith('/assets/')

/** Navigations (path and query) that are not answered with the empty shell: the server's own addresses, and files. */
export const nonShellPaths = [/^\/api\//, /^\/photos\//, /^\/assets\//, /^\/[^/?]+\.[^/?]+(\?.*)?$/]

export type GrantedImage = { path: string; grantId: string; imageId: number }

const imagePath = /^\/photos\/([^/]+)\/(\d+)\/[^/]+$/

/** A customer's photo by its address; null for anything else, staff's signed addresses (with a query) among it. */
export const parseImageUrl = ({ pathname, search }: { pathname: string; search: string }): GrantedImage | null => {
  const [path, grantId, imageId] = imagePath.exec(pathname) ?? []
  return path && grantId && search === '' ? { path, grantId, imageId: Number(imageId) } : null
}

/** What is small enough to fetch for somebody who wants little fetched: `…/thumb-{hash}`, as the server writes it. */
export const isThumbnail = ({ path }: GrantedImage): boolean => /\/thumb-[^/]*$/.test(path)

/** Every photo an answer speaks of, each once. */
export const imagesIn = (answer: string): GrantedImage[] =>
  imageUrlsIn(answer).flatMap((pathname) => parseImageUrl({ pathname, search: '' }) ?? [])

const jobPath = /\/jobs\/(\d+)(?:\/|$)/

/** The job an address speaks of, or null. */
export const jobOf = (pathname: string): number | null => {
  const digits = jobPath.exec(pathname)?.[1]
  return digits ? Number(digits) : null
}

/** The data of an availability answer, or null. */
export const availabilityIn = (answer: string): JobAvailability | null => {
  try {
    const { data } = JSON.parse(answer)
    return JobAvailability.is(data) ? data : null
  } catch {
    return null
  }
}

/**
 * Whether an answer may be shown before the next one is there. A closed door never: a parent who has just given the code, or came
 * back when the gallery opened, must not be turned away by what was true before.
 */
export const mayServeStale = (pathname: string, answer: string): boolean => {
  if (!isAvailability(pathname)) return true
  const availability = availabilityIn(answer)
  return availability?.codeGiven === true && isOpen(availability)
}

export type ReceivedResponse = { pathname: string; status: number; answer: string }

/**
 * What an answer turns a device away for, where the codes and people kept there may yet open it: `code`: nobody in this visit has given the
 * code; `person`: nobody has confirmed them. Null for all else, a definite no among it.
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
 * What to do with the kept answer after asking again. Only a definite no may take it away; a server in trouble, or one that has forgotten
 * the visit (401), does not.
 */
export const cacheDecision = (status: number): 'keep-new' | 'drop' | 'keep-old' => {
  if (status === 200) return 'keep-new'
  return [403, 404, 410].includes(status) ? 'drop' : 'keep-old'
}

/** Entries beyond the most a cache may hold, oldest first; `entries` are in the order they came. */
export const entriesBeyond = <Entry>(entries: readonly Entry[], most: number): Entry[] =>
  entries.slice(0, Math.max(0, entries.length - most))

export const maxCatalogueResponses = 200
export const maxAssets = 200
export const maxImages = 300
const maxImageBytes = 100_000_000
/** Photos that are in no cart go when the server was not met for so long. */
export const imageLifetimeMs = 7 * 24 * 3_600_000

/** A photo on the device. `keptAt` in milliseconds since 1970. */
export type CachedImage = GrantedImage & { keptAt: number; bytes: number }

export type ImageCacheRules = {
  /** When the server last confirmed each live grant. */
  seenAtByGrant: ReadonlyMap<string, number>
  /** Grants the server has taken back. */
  withdrawn: ReadonlySet<string>
  /** Pictures chosen in a cart. */
  pinned: ReadonlySet<number>
  now: number
}

/**
 * Which photos must go: those of withdrawn grants always; unpinned ones seven
 * days after the last contact; then the oldest unpinned ones while there are too many or they are too large. `photos` are in the
 * order they came.
 */
export const imagesToEvict = (photos: readonly CachedImage[], rules: ImageCacheRules): CachedImage[] => {
  const { seenAtByGrant, withdrawn, pinned, now } = rules
  const isOver = (photo: CachedImage): boolean => {
    if (withdrawn.has(photo.grantId)) return true
    const contact = seenAtByGrant.get(photo.grantId) ?? photo.keptAt
    return !pinned.has(photo.imageId) && now - contact > imageLifetimeMs
  }
  const over = photos.filter(isOver)
  const staying = photos.filter((photo) => !over.includes(photo))
  return [...over, ...tooMany(staying, pinned)]
}

const tooMany = (photos: readonly CachedImage[], pinned: ReadonlySet<number>): CachedImage[] => {
  let count = photos.length
  let bytes = photos.reduce((sum, photo) => sum + photo.bytes, 0)
  const dropped: CachedImage[] = []
  for (const photo of photos) {
    if (count <= maxImages && bytes <= maxImageBytes) break
    if (pinned.has(photo.imageId)) continue
    dropped.push(photo)
    count -= 1
    bytes -= photo.bytes
  }
  return dropped
}

import type { DeviceFailure } from '#local/recovery/with-database-retry.ts'
import { imageCache } from '#local/store/cache-names.ts'
import {
  type CachedImage,
  type GrantedImage,
  type ImageCacheRules,
  imagesToEvict,
  parseImageUrl,
} from './cache-rules.ts'

export type ImageCacheDeps = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  /** Grants, pins and clock as they are now, where the device can say. */
  rules: () => Promise<Omit<ImageCacheRules, 'withdrawn'> | DeviceFailure>
  clock: () => number
}

/** Tidying after each photo would read the whole cache each time; after so many it is soon enough. */
const putsBetweenTidying = 25
/** Taken for a photo whose answer did not say how large it is. */
const usualBytes = 150_000

/**
 * Photos of customers: kept by their path, only whole good answers, nowhere else on the device. What is withdrawn goes at the next
 * contact with the server.
 */
export const createImageCache = ({ caches, fetch, rules, clock }: ImageCacheDeps) => {
  let puts = 0
  /** How many times each grant and each photo was withdrawn while this worker lives: what was asked for before that is not to stay. */
  const withdrawals = new Map<string, number>()
  const noteWithdrawal = (name: string): void => void withdrawals.set(name, (withdrawals.get(name) ?? 0) + 1)
  const withdrawalsOf = ({ grantId, path }: GrantedImage): string =>
    `${withdrawals.get(grantId)} ${withdrawals.get(path)}`

  const answer = async (request: Request, photo: GrantedImage): Promise<Response> => {
    const before = withdrawalsOf(photo)
    const cache = await caches.open(imageCache)
    const kept = await cache.match(photo.path, { ignoreVary: true })
    if (kept) return kept
    const response = await fetch(request)
    if (response.status !== 200) return response
    await cache.put(photo.path, stamped(response.clone(), clock()))
    if (withdrawalsOf(photo) !== before) await cache.delete(photo.path)
    puts += 1
    if (puts % putsBetweenTidying === 0) await tidy(new Set())
    return response
  }

  /** Removes what may not stay, `withdrawn` being the grants the server has just not named any more. */
  const tidy = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    for (const grantId of withdrawn) noteWithdrawal(grantId)
    const cache = await caches.open(imageCache)
    const photos = await cachedImages(cache)
    if (photos.length === 0) return
    const known = await rules()
    const over =
      'ok' in known
        ? photos.filter(({ grantId }) => withdrawn.has(grantId))
        : imagesToEvict(photos, { ...known, withdrawn })
    for (const photo of over) await cache.delete(photo.path)
  }

  const paths = async (): Promise<string[]> =>
    (await (await caches.open(imageCache)).keys()).map(({ url }) => new URL(url).pathname)

  /** Removes photos that the server says were withdrawn. */
  const withdraw = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    const cache = await caches.open(imageCache)
    for (const path of withdrawn) {
      noteWithdrawal(path)
      await cache.delete(path, { ignoreVary: true })
    }
  }

  return { answer, tidy, paths, withdraw }
}

const keptAtHeader = 'x-kept-at'

const stamped = (response: Response, keptAt: number): Response => {
  const headers = new Headers(response.headers)
  headers.set(keptAtHeader, String(keptAt))
  return new Response(response.body, { status: response.status, headers })
}

const cachedImages = async (cache: Cache): Promise<CachedImage[]> => {
  const photos: CachedImage[] = []
  for (const request of await cache.keys()) {
    const photo = parseImageUrl(new URL(request.url))
    const response = photo && (await cache.match(request))
    if (!photo || !response) continue
    const bytes = Number(response.headers.get('content-length') ?? usualBytes)
    photos.push({ ...photo, keptAt: Number(response.headers.get(keptAtHeader) ?? 0), bytes })
  }
  return photos
}

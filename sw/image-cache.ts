import { previewAddress, smallPreviewSuffix } from '#contract/shapes/image-structs.ts'
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
  /** The current grants, pins and time, if the device knows them. */
  rules: () => Promise<Omit<ImageCacheRules, 'withdrawn'> | DeviceFailure>
  clock: () => number
}

/** Cleaning up after each image would read the whole cache each time; once per this number of images is enough. */
const putsBetweenTidying = 25
/** The assumed size of an image whose response does not state it. */
const usualBytes = 150_000

/**
 * Caches images of customers by their path, only complete successful responses, and nowhere else on the device.
 * Withdrawn images are removed at the next contact with the server.
 */
export const createImageCache = ({ caches, fetch, rules, clock }: ImageCacheDeps) => {
  let puts = 0
  /**
   * How often each grant and each image was withdrawn since this worker started: responses to earlier requests are not
   * stored.
   */
  const withdrawals = new Map<string, number>()
  const noteWithdrawal = (name: string): void => void withdrawals.set(name, (withdrawals.get(name) ?? 0) + 1)
  const withdrawalsOf = ({ grantId, path }: GrantedImage): string =>
    `${withdrawals.get(grantId)} ${withdrawals.get(previewAddress(path))}`

  const answer = async (request: Request, image: GrantedImage): Promise<Response> => {
    const withdrawalsBefore = withdrawalsOf(image)
    const cache = await caches.open(imageCache)
    for (const path of new Set([image.path, previewAddress(image.path)])) {
      const cached = await matchPath(cache, path)
      if (cached) return cached
    }
    let response: Response
    try {
      response = await fetch(request)
    } catch (failure) {
      const smaller = await matchPath(cache, image.path + smallPreviewSuffix)
      if (smaller) return smaller
      throw failure
    }
    if (response.status !== 200) return response
    await cache.put(image.path, withStoredAt(response.clone(), clock()))
    if (withdrawalsOf(image) !== withdrawalsBefore) await cache.delete(image.path)
    puts += 1
    if (puts % putsBetweenTidying === 0) await tidy(new Set())
    return response
  }

  /** Removes what may not stay; `withdrawn` are the grants that the server no longer lists. */
  const tidy = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    for (const grantId of withdrawn) noteWithdrawal(grantId)
    const cache = await caches.open(imageCache)
    const images = await cachedImages(cache)
    if (images.length === 0) return
    const currentRules = await rules()
    const evicted =
      'ok' in currentRules
        ? images.filter(({ grantId }) => withdrawn.has(grantId))
        : imagesToEvict(images, { ...currentRules, withdrawn })
    for (const image of evicted) await cache.delete(image.path)
  }

  const paths = async (): Promise<string[]> =>
    (await (await caches.open(imageCache)).keys()).map(({ url }) => new URL(url).pathname)

  /** Removes images that the server reports as withdrawn, each with its small preview, which no response names. */
  const withdraw = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    const paths = new Set([...withdrawn].map(previewAddress))
    for (const path of paths) noteWithdrawal(path)
    const cache = await caches.open(imageCache)
    for (const path of paths)
      for (const stored of [path, path + smallPreviewSuffix]) await cache.delete(stored, { ignoreVary: true })
  }

  return { answer, tidy, paths, withdraw }
}

const matchPath = (cache: Cache, path: string): Promise<Response | undefined> => cache.match(path, { ignoreVary: true })

const storedAtHeader = 'x-kept-at'

const withStoredAt = (response: Response, storedAt: number): Response => {
  const headers = new Headers(response.headers)
  headers.set(storedAtHeader, String(storedAt))
  return new Response(response.body, { status: response.status, headers })
}

const cachedImages = async (cache: Cache): Promise<CachedImage[]> => {
  const images: CachedImage[] = []
  for (const request of await cache.keys()) {
    const image = parseImageUrl(new URL(request.url))
    const response = image && (await cache.match(request))
    if (!image || !response) continue
    const bytes = Number(response.headers.get('content-length') ?? usualBytes)
    images.push({ ...image, storedAt: Number(response.headers.get(storedAtHeader) ?? 0), bytes })
  }
  return images
}

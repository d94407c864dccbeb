import { photoCache } from '../src/local/cache-names.ts'
import type { DeviceFailed } from '../src/local/surviving.ts'
import { type KeptPhoto, type Photo, type PhotoRules, photoAt, photosIn, photosToDrop } from './caching.ts'

export type PhotoParts = {
  caches: CacheStorage
  fetch: (request: Request) => Promise<Response>
  /** Grants, pins and clock as they are now, where the device can say. */
  rules: () => Promise<Omit<PhotoRules, 'withdrawn'> | DeviceFailed>
  clock: () => number
  /** Asked of a photo that the server refused: whether that is because it was withdrawn, and not because its event is closed. */
  isWithdrawn: (photo: Photo) => Promise<boolean>
}

/** Tidying after each photo would read the whole cache each time; after so many it is soon enough. */
const putsBetweenTidying = 25
/** Taken for a photo whose answer did not say how large it is. */
const usualBytes = 150_000

/**
 * Photos of customers: kept by their path, only whole good answers, nowhere else on the device. What is withdrawn goes at the next
 * contact with the server.
 */
export const createPhotos = ({ caches, fetch, rules, clock, isWithdrawn }: PhotoParts) => {
  let puts = 0
  /** How many times each grant was withdrawn while this worker lives: what was asked for before that is not to stay. */
  const withdrawals = new Map<string, number>()

  const answer = async (request: Request, photo: Photo): Promise<Response> => {
    const before = withdrawals.get(photo.grantId)
    const cache = await caches.open(photoCache)
    const kept = await cache.match(photo.path, { ignoreVary: true })
    if (kept) return kept
    const response = await fetch(request)
    if (isRefusal(response.status) && (await isWithdrawn(photo)))
      await dropImages(new Set([photo.imageId]), photo.grantId)
    if (response.status !== 200) return response
    await cache.put(photo.path, stamped(response.clone(), clock()))
    if (withdrawals.get(photo.grantId) !== before) await cache.delete(photo.path)
    puts += 1
    if (puts % putsBetweenTidying === 0) await tidy(new Set())
    return response
  }

  /** Removes what may not stay, `withdrawn` being the grants the server has just not named any more. */
  const tidy = async (withdrawn: ReadonlySet<string>): Promise<void> => {
    for (const grantId of withdrawn) withdrawals.set(grantId, (withdrawals.get(grantId) ?? 0) + 1)
    const cache = await caches.open(photoCache)
    const photos = await keptPhotos(cache)
    if (photos.length === 0) return
    const known = await rules()
    const over =
      'ok' in known
        ? photos.filter(({ grantId }) => withdrawn.has(grantId))
        : photosToDrop(photos, { ...known, withdrawn })
    for (const photo of over) await cache.delete(photo.path)
  }

  /** Removes images under one grant, in every size they are kept in. */
  const dropImages = async (imageIds: ReadonlySet<number>, grantId: string): Promise<void> => {
    const cache = await caches.open(photoCache)
    for (const request of await cache.keys()) {
      const kept = photoAt(new URL(request.url))
      if (kept && kept.grantId === grantId && imageIds.has(kept.imageId)) await cache.delete(request)
    }
  }

  /** Removes the photos that one answer spoke of and a newer one no longer does: they were withdrawn. What another visit shows
   * under a grant of its own goes with the old grant, not before. */
  const replaced = async (before: string, now: string): Promise<void> => {
    const shown = photosIn(now)
    const staying = new Set(shown.map(({ imageId }) => imageId))
    for (const [grantId, photos] of Map.groupBy(photosIn(before), (one) => one.grantId)) {
      if (shown.length > 0 && !shown.some((one) => one.grantId === grantId)) continue
      const gone = photos.map(({ imageId }) => imageId).filter((imageId) => !staying.has(imageId))
      if (gone.length > 0) await dropImages(new Set(gone), grantId)
    }
  }

  return { answer, tidy, replaced }
}

const isRefusal = (status: number): boolean => status === 403 || status === 404 || status === 410

const keptAtHeader = 'x-kept-at'

const stamped = (response: Response, keptAt: number): Response => {
  const headers = new Headers(response.headers)
  headers.set(keptAtHeader, String(keptAt))
  return new Response(response.body, { status: response.status, headers })
}

const keptPhotos = async (cache: Cache): Promise<KeptPhoto[]> => {
  const photos: KeptPhoto[] = []
  for (const request of await cache.keys()) {
    const photo = photoAt(new URL(request.url))
    const response = photo && (await cache.match(request))
    if (!photo || !response) continue
    const bytes = Number(response.headers.get('content-length') ?? usualBytes)
    photos.push({ ...photo, keptAt: Number(response.headers.get(keptAtHeader) ?? 0), bytes })
  }
  return photos
}

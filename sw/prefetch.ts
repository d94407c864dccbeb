import { isAsset, isCatalogue, isThumbnail, type Photo, photoAt, photosIn } from './cache-rules.ts'

export type WarmParts = {
  /** No picture larger than a thumbnail. */
  sparing: boolean
  origin: string
  catalogue: (request: Request) => Promise<{ response: Response; afterwards: Promise<unknown> }>
  photo: (request: Request, photo: Photo) => Promise<Response>
  asset: (request: Request) => Promise<Response>
}

/** More at once would stand in the way of what the screen is waiting for. */
const photosAtOnce = 3

/**
 * Fetches what these addresses answer and every photo those answers speak of; what cannot be had now is simply not there later. Whether
 * anything at all came back for each of them.
 */
export const warmUp = async (
  urls: readonly string[],
  { sparing, origin, catalogue, photo, asset }: WarmParts,
): Promise<boolean> => {
  const failed: unknown[] = []
  const lacks = (reason: unknown) => void failed.push(reason)
  const wanted = urls.map((url) => new URL(url, origin)).filter((url) => url.origin === origin)
  const photos = wanted.flatMap((url) => photoAt(url) ?? [])
  for (const url of wanted) {
    const asked = { method: 'GET', url, hasToken: false }
    if (isAsset(asked)) await asset(new Request(url)).catch(lacks)
    if (!isCatalogue(asked)) continue
    photos.push(...((await photosBehind(url, catalogue).catch(lacks)) ?? []))
  }
  // What every screen shows comes first, what is looked at closely after it.
  const small = photos.filter(isThumbnail)
  const wantedPhotos = sparing ? small : [...small, ...photos.filter((one) => !isThumbnail(one))]
  const waiting = new Map(wantedPhotos.map((one) => [one.path, one])).values()
  const fetchNext = async (): Promise<void> => {
    for (const one of waiting) await photo(new Request(new URL(one.path, origin)), one).catch(lacks)
  }
  await Promise.all(Array.from({ length: photosAtOnce }, fetchNext))
  return failed.length === 0
}

const photosBehind = async (url: URL, catalogue: WarmParts['catalogue']): Promise<Photo[]> => {
  const { response, afterwards } = await catalogue(new Request(url))
  await afterwards
  return response.status === 200 ? photosIn(await response.text()) : []
}

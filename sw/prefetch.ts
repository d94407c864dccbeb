import { type GrantedImage, imagesIn, isAsset, isCatalogue, isThumbnail, parseImageUrl } from './cache-rules.ts'

export type PrefetchDeps = {
  /** No picture larger than a thumbnail. */
  sparing: boolean
  origin: string
  catalogue: (request: Request) => Promise<{ response: Response; afterwards: Promise<unknown> }>
  photo: (request: Request, photo: GrantedImage) => Promise<Response>
  asset: (request: Request) => Promise<Response>
}

/** More at once would stand in the way of what the screen is waiting for. */
const parallelImages = 3

/**
 * Fetches what these addresses answer and every photo those answers speak of; what cannot be had now is simply not there later. Whether
 * anything at all came back for each of them.
 */
export const prefetch = async (
  urls: readonly string[],
  { sparing, origin, catalogue, photo, asset }: PrefetchDeps,
): Promise<boolean> => {
  const failed: unknown[] = []
  const lacks = (reason: unknown) => void failed.push(reason)
  const wanted = urls.map((url) => new URL(url, origin)).filter((url) => url.origin === origin)
  const photos = wanted.flatMap((url) => parseImageUrl(url) ?? [])
  for (const url of wanted) {
    const asked = { method: 'GET', url, hasToken: false }
    if (isAsset(asked)) await asset(new Request(url)).catch(lacks)
    if (!isCatalogue(asked)) continue
    photos.push(...((await imagesOf(url, catalogue).catch(lacks)) ?? []))
  }
  // What every screen shows comes first, what is looked at closely after it.
  const small = photos.filter(isThumbnail)
  const wantedPhotos = sparing ? small : [...small, ...photos.filter((one) => !isThumbnail(one))]
  const waiting = new Map(wantedPhotos.map((one) => [one.path, one])).values()
  const fetchNext = async (): Promise<void> => {
    for (const one of waiting) await photo(new Request(new URL(one.path, origin)), one).catch(lacks)
  }
  await Promise.all(Array.from({ length: parallelImages }, fetchNext))
  return failed.length === 0
}

const imagesOf = async (url: URL, catalogue: PrefetchDeps['catalogue']): Promise<GrantedImage[]> => {
  const { response, afterwards } = await catalogue(new Request(url))
  await afterwards
  return response.status === 200 ? imagesIn(await response.text()) : []
}

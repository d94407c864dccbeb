import { type GrantedImage, imagesIn, isAsset, isCatalogue, isThumbnail, parseImageUrl } from './cache-rules.ts'

export type PrefetchDeps = {
  /** Fetch no image larger than a thumbnail. */
  sparing: boolean
  origin: string
  catalogue: (request: Request) => Promise<{ response: Response; afterwards: Promise<unknown> }>
  image: (request: Request, image: GrantedImage) => Promise<Response>
  asset: (request: Request) => Promise<Response>
}

/** Maximum concurrent image requests; more would delay what the screen is waiting for. */
const parallelImages = 3

/**
 * Fetches these URLs, and the images listed in catalogue responses. A failed request does not stop the others. Returns
 * whether every request got a response.
 */
export const prefetch = async (
  urls: readonly string[],
  { sparing, origin, catalogue, asset, image: fetchImage }: PrefetchDeps,
): Promise<boolean> => {
  const failures: unknown[] = []
  const addFailure = (reason: unknown) => void failures.push(reason)
  const sameOriginUrls = urls.map((url) => new URL(url, origin)).filter((url) => url.origin === origin)
  const images = sameOriginUrls.flatMap((url) => parseImageUrl(url) ?? [])
  for (const url of sameOriginUrls) {
    const request = { method: 'GET', url, hasToken: false }
    if (isAsset(request)) await asset(new Request(url)).catch(addFailure)
    if (!isCatalogue(request)) continue
    images.push(...((await imagesOf(url, catalogue).catch(addFailure)) ?? []))
  }
  // Thumbnails first, which every screen shows, then previews.
  const thumbnails = images.filter(isThumbnail)
  const imagesToFetch = sparing ? thumbnails : [...thumbnails, ...images.filter((image) => !isThumbnail(image))]
  const queue = new Map(imagesToFetch.map((image) => [image.path, image])).values()
  const fetchNext = async (): Promise<void> => {
    for (const image of queue) await fetchImage(new Request(new URL(image.path, origin)), image).catch(addFailure)
  }
  await Promise.all(Array.from({ length: parallelImages }, fetchNext))
  return failures.length === 0
}

const imagesOf = async (url: URL, catalogue: PrefetchDeps['catalogue']): Promise<GrantedImage[]> => {
  const { response, afterwards } = await catalogue(new Request(url))
  await afterwards
  return response.status === 200 ? imagesIn(await response.text()) : []
}

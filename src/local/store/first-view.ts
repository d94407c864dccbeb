import { array, type Infer, is, string, type } from 'superstruct'

/**
 * The upper part of a screen as it was last shown, for the worker to show when the same address is opened again, before
 * any script runs. Stored as JSON in `catalogueCache` under the path of the screen, so that it is deleted with the
 * session, and as soon as one of its images is withdrawn.
 */
const FirstView = type({
  /** The start tag of the page, with the studio's accent. */
  startTag: string(),
  /** The markup from the top of the screen to its large image. */
  markup: string(),
  /** The path of the large image. */
  image: string(),
  /** The paths of the style sheets, which belong to one build. */
  stylesheets: array(string()),
})

export type FirstView = Infer<typeof FirstView>

export const isFirstView = (value: unknown): value is FirstView => is(value, FirstView)

/** Whether the cached response of `imagesUrl`, the subject's images, has this one; undefined if there is none: on a first visit, or after access was denied. */
export const isImageListed = async (cache: Cache, imagesUrl: string, image: string): Promise<boolean | undefined> => {
  const images = await cache.match(imagesUrl, { ignoreVary: true })
  return images && (await images.text()).includes(JSON.stringify(image))
}

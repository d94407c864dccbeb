import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { shownImageId } from '#domain/cart/line-content.ts'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import type { ChosenImage } from '#domain/printing/image-placement.ts'

/** The URLs of an image. */
export type ImageSource = {
  url: string
  /** A smaller version, probably cached: shown until the other has loaded, or if it fails. */
  placeholderUrl?: string
}

/** A chosen image as placed in a node. */
export type PrintImage = ChosenImage &
  ImageSource & {
    /** The background behind a cut-out: fills its node, whatever the image's crop. Null: white. */
    background: ImageSource | null
  }

/** The content of one item's nodes, by node id. */
export type PrintContent = {
  images: ReadonlyMap<number, PrintImage>
  texts: ReadonlyMap<number, string>
}

/** Image URLs by image id. Images without a URL here are shown by their thumbnail. */
export type ImageUrls = ReadonlyMap<number, string>

/** The content of a line's item; email addresses and phone numbers are masked. */
export const printContentOf = (line: CartPackage, item: PackageItem, urls?: ImageUrls): PrintContent => {
  const cartItem = line.cartPackageItems.find((candidate) => candidate.packageItemId === item.id)
  const texts = new Map<number, string>()
  const images = new Map<number, PrintImage>()
  const background = backgroundOf(line)
  for (const node of cartItem?.textNodes ?? []) {
    const definition = item.textNodes.find((textNode) => textNode.id === node.packageItemTextNodeId)
    if (definition) texts.set(definition.id, maskNodeText(definition, node.value))
  }
  for (const node of cartItem?.imageNodes ?? []) {
    const imageId = shownImageId(node)
    const image = line.snapshot.images.find((candidate) => candidate.imageId === imageId)
    if (!image) continue
    const { width, height, hasAlpha } = image
    const sourceOf = ({ imageId, thumbnailUrl }: SnapshotImage): ImageSource => {
      const url = urls?.get(imageId)
      return url ? { url, placeholderUrl: thumbnailUrl } : { url: thumbnailUrl }
    }
    images.set(node.packageItemImageNodeId, {
      ...sourceOf(image),
      width,
      height,
      crop: node.cropDimensions,
      rotation: node.rotation,
      // If it is unknown whether the image is transparent, drawing a background behind it is harmless.
      background: background && hasAlpha !== false ? sourceOf(background) : null,
    })
  }
  return { texts, images }
}

/** Every item of a line with its content. */
export const printedItems = (line: CartPackage, urls?: ImageUrls) =>
  line.snapshot.package.items.map((item) => ({
    item,
    content: printContentOf(line, item, urls),
    cover: line.snapshot.subject.imageThumbnailUrl,
  }))

import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { shownImageId } from '#domain/cart/line-images.ts'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { maskNodeText } from '#domain/catalogue/mask.ts'
import type { ChosenImage } from '#domain/printing/image-placement.ts'

/** Where a picture is shown from. */
export type ImageSource = {
  url: string
  /** A smaller one of the same, likely here already: shown until the other arrives, and where it does not. */
  standIn?: string
}

/** A chosen picture as it lies in an image node. */
export type PrintImage = ChosenImage &
  ImageSource & {
    /** What a cut-out stands on: it fills its node, whatever is done to the picture before it. Null: white. */
    background: ImageSource | null
  }

/** What fills the nodes of one item, by node id. */
export type PrintContent = {
  images: ReadonlyMap<number, PrintImage>
  texts: ReadonlyMap<number, string>
}

/** Where a picture is shown from, by image id; undefined for the line's own thumbnails. */
export type ImageUrls = ReadonlyMap<number, string>

/** An item of a line with what the customer put into it; e-mail addresses and phone numbers masked. */
export const printContentOf = (line: CartPackage, item: PackageItem, urls?: ImageUrls): PrintContent => {
  const chosen = line.cartPackageItems.find((one) => one.packageItemId === item.id)
  const texts = new Map<number, string>()
  const images = new Map<number, PrintImage>()
  const background = backgroundOf(line)
  for (const node of chosen?.textNodes ?? []) {
    const definition = item.textNodes.find((one) => one.id === node.packageItemTextNodeId)
    if (definition) texts.set(definition.id, maskNodeText(definition, node.value))
  }
  for (const node of chosen?.imageNodes ?? []) {
    const imageId = shownImageId(node)
    const fact = line.snapshot.images.find((one) => one.imageId === imageId)
    if (!fact) continue
    const { width, height, hasAlpha } = fact
    const sourceOf = ({ imageId, thumbnailUrl }: SnapshotImage): ImageSource => {
      const url = urls?.get(imageId)
      return url ? { url, standIn: thumbnailUrl } : { url: thumbnailUrl }
    }
    images.set(node.packageItemImageNodeId, {
      ...sourceOf(fact),
      width,
      height,
      crop: node.cropDimensions,
      rotation: node.rotation,
      // Behind a picture of which nobody knows whether it lets anything through, it does no harm.
      background: background && hasAlpha !== false ? sourceOf(background) : null,
    })
  }
  return { texts, images }
}

/** Every item of a line, to be drawn beside each other. */
export const printedItems = (line: CartPackage) =>
  line.snapshot.package.items.map((item) => ({
    item,
    content: printContentOf(line, item),
    cover: line.snapshot.subject.imageThumbnailUrl,
  }))

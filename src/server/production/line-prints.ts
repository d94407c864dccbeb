import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { shownImageId } from '#domain/cart/line-content.ts'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import type { ChosenImage } from '#domain/printing/image-placement.ts'
import { printedText } from '#domain/printing/printable-letters.ts'

/** An image in a node of a print. */
type PrintedImage = ChosenImage & { imageId: number }

/** A print of a line: an item with its images and texts by node id, and the background of its cut-outs. */
export type LinePrint = {
  item: PackageItem
  images: ReadonlyMap<number, PrintedImage>
  texts: ReadonlyMap<number, string>
  background: SnapshotImage | undefined
}

const isPrinted = ({ productCode, widthInches, heightInches }: PackageItem): boolean =>
  !isDigital(productCode) && widthInches !== null && heightInches !== null

const printOf = (line: CartPackage, item: PackageItem): LinePrint => {
  const content = line.cartPackageItems.find(({ packageItemId }) => packageItemId === item.id)
  const snapshotOf = (imageId: number | null) => line.snapshot.images.find((image) => image.imageId === imageId)
  const images = (content?.imageNodes ?? []).flatMap((node): [number, PrintedImage][] => {
    const snapshot = snapshotOf(shownImageId(node))
    if (!snapshot) return []
    const { imageId, width, height } = snapshot
    return [
      [node.packageItemImageNodeId, { imageId, width, height, crop: node.cropDimensions, rotation: node.rotation }],
    ]
  })
  const texts = (content?.textNodes ?? []).map((node) => [node.packageItemTextNodeId, printedText(node.value)] as const)
  return { item, images: new Map(images), texts: new Map(texts), background: backgroundOf(line) }
}

/** The prints of a line in the order of its items, with unmasked texts. */
export const printsOf = (line: CartPackage): LinePrint[] =>
  line.snapshot.package.items.filter(isPrinted).map((item) => printOf(line, item))

import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf } from '#domain/cart/line-background.ts'
import { shownImageId } from '#domain/cart/line-images.ts'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import type { ChosenImage } from '#domain/printing/image-placement.ts'
import { printedText } from '#domain/printing/printed-text.ts'

/** A picture in a node of a print, by the image it is of. */
type PrintedImage = ChosenImage & { imageId: number }

/** One print of a line: an item, what fills it, and what its cut-outs stand on. */
export type LinePrint = {
  item: PackageItem
  images: ReadonlyMap<number, PrintedImage>
  texts: ReadonlyMap<number, string>
  background: SnapshotImage | undefined
}

const isPrinted = ({ productCode, widthInches, heightInches }: PackageItem): boolean =>
  !isDigital(productCode) && widthInches !== null && heightInches !== null

const printOf = (line: CartPackage, item: PackageItem): LinePrint => {
  const chosen = line.cartPackageItems.find((one) => one.packageItemId === item.id)
  const factOf = (imageId: number | null) => line.snapshot.images.find((one) => one.imageId === imageId)
  const pictures = (chosen?.imageNodes ?? []).flatMap((node): [number, PrintedImage][] => {
    const fact = factOf(shownImageId(node))
    if (!fact) return []
    const { imageId, width, height } = fact
    return [
      [node.packageItemImageNodeId, { imageId, width, height, crop: node.cropDimensions, rotation: node.rotation }],
    ]
  })
  const texts = (chosen?.textNodes ?? []).map((node) => [node.packageItemTextNodeId, printedText(node.value)] as const)
  return { item, images: new Map(pictures), texts: new Map(texts), background: backgroundOf(line) }
}

/** Everything of a line that is printed, in the order of its items; texts as they are, not as they are shown. */
export const printsOf = (line: CartPackage): LinePrint[] =>
  line.snapshot.package.items.filter(isPrinted).map((item) => printOf(line, item))

import type { Package } from '#domain/catalogue/catalogue.ts'
import type { PrintedItem } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { type CustomiseContext, newCustomisedPackage, previewLine } from '../customiser/customised-package.ts'
import { toSnapshotImages } from '../images/node-images.ts'

/** The prints of an unchanged package: the current pose and the known texts. */
export type PreviewPackage = (offer: Package) => readonly PrintedItem[]

/** Renders previews on demand, one by one, so that taps are handled in between. */
export const createPackagePreview = (context: CustomiseContext): PreviewPackage => {
  const images = toSnapshotImages(context.images)
  return (offer) => printedItems(previewLine(newCustomisedPackage(offer, context), context.subject, images))
}

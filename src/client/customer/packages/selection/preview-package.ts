import type { Package } from '#domain/catalogue/catalogue.ts'
import type { PrintedItem } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { type CustomiseContext, newCustomisedPackage, previewLine } from '../customiser/customised-package.ts'
import { toSnapshotImages } from '../images/node-images.ts'

/** What arrives when nothing is changed in a package: the pose chosen so far and the texts that are known already. */
export type PreviewPackage = (one: Package) => readonly PrintedItem[]

/** Draws when asked, one by one: between two of many packages there is room for a tap. */
export const createPackagePreview = (situation: CustomiseContext): PreviewPackage => {
  const facts = toSnapshotImages(situation.images)
  return (one) => printedItems(previewLine(newCustomisedPackage(one, situation), situation.person, facts))
}

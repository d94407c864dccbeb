import type { Package } from '#domain/catalogue/catalogue.ts'
import type { SetItem } from '#ui/print/package-prints.tsx'
import { drawnItems } from '#ui/print/print-content.ts'
import { previewOf, type Situation, startPart } from '../customiser/customised-package.ts'
import { factsOf } from '../images/node-images.ts'

/** What arrives when nothing is changed in a package: the pose chosen so far and the texts that are known already. */
export type DrawPackage = (one: Package) => readonly SetItem[]

/** Draws when asked, one by one: between two of many packages there is room for a tap. */
export const drawPackages = (situation: Situation): DrawPackage => {
  const facts = factsOf(situation.images)
  return (one) => drawnItems(previewOf(startPart(one, situation), situation.person, facts))
}

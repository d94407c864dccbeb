import type { Package } from '../../../domain/catalogue.ts'
import { drawnItems } from '../print-content.ts'
import type { SetItem } from '../print-set.tsx'
import { previewOf, type Situation, startPart } from './part.ts'
import { factsOf } from './pictures.ts'

/** What arrives when nothing is changed in a package: the pose chosen so far and the texts that are known already. */
export type DrawPackage = (one: Package) => readonly SetItem[]

/** Draws when asked, one by one: between two of many packages there is room for a tap. */
export const drawPackages = (situation: Situation): DrawPackage => {
  const facts = factsOf(situation.images)
  return (one) => drawnItems(previewOf(startPart(one, situation), situation.person, facts))
}

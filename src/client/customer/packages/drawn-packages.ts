import type { Package } from '../../../domain/catalogue.ts'
import { drawnItems } from '../print-content.ts'
import type { SetItem } from '../print-set.tsx'
import { previewOf, type Situation, startPart } from './part.ts'
import { factsOf } from './pictures.ts'

/** What arrives when nothing is changed, by package id: the pose chosen so far and the texts that are known already. */
export type DrawnPackages = ReadonlyMap<number, readonly SetItem[]>

export const drawnPackages = (offered: readonly Package[], situation: Situation): DrawnPackages => {
  const facts = factsOf(situation.images)
  return new Map(
    offered.map((one) => [one.id, drawnItems(previewOf(startPart(one, situation), situation.person, facts))]),
  )
}

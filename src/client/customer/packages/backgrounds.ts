import type { Infer } from 'superstruct'
import type { Image } from '../../../contract/customer-find.ts'
import { type GreenScreen, listGreenScreens } from '../../../contract/job-offers.ts'
import type { ImageFact } from '../../../domain/cart.ts'
import { useAsk } from '../../device/use-ask.ts'
import type { Part } from './part.ts'
import { imageOf } from './pictures.ts'
import type { StepGroup } from './steps.ts'

/** A background with the addresses it is shown from. */
export type Background = Infer<typeof GreenScreen> & { thumbnailUrl: string; previewUrl: string }

const isShown = (one: Infer<typeof GreenScreen>): one is Background =>
  one.thumbnailUrl !== null && one.previewUrl !== null

/** The event's backgrounds, asked only where somebody was cut out to stand on one; undefined until they are known. */
export const useBackgrounds = (jobId: number, images: readonly Image[]): readonly Background[] | undefined =>
  useAsk(listGreenScreens, images.some((one) => one.hasAlpha) ? { params: { jobId } } : null).data?.filter(isShown)

/** The backgrounds as lines keep them. */
export const backgroundFactsOf = (backgrounds: readonly Background[]): ImageFact[] =>
  backgrounds.map(({ id, imageId, width, height, thumbnailUrl }) => ({
    imageId,
    width,
    height,
    thumbnailUrl,
    greenScreenId: id,
  }))

/** The packages that stand on one background: those of which alike items are done in one, and what hangs together with them. */
export const partsTogether = (part: number, groups: readonly StepGroup[]): number[] => {
  const together = new Set([part])
  const joined = groups.map(({ first, twins }) => [first, ...twins].map((step) => step.part))
  for (const _ of joined) {
    for (const parts of joined) if (parts.some((one) => together.has(one))) for (const one of parts) together.add(one)
  }
  return [...together]
}

/** Where packages' background is chosen: at the first of their items that shows a cut-out. */
export const isBackgroundPlace = (
  group: StepGroup,
  { groups, parts, images }: { groups: readonly StepGroup[]; parts: readonly Part[]; images: readonly Image[] },
): boolean => {
  const cutOuts = new Set(images.filter((one) => one.hasAlpha).map((one) => one.id))
  const showsOne = ({ first: { part, imageNodes } }: StepGroup): boolean =>
    imageNodes.some(({ id }) => {
      const choice = parts[part]?.images.find((one) => one.packageItemImageNodeId === id)
      return cutOuts.has(imageOf(choice) ?? 0)
    })
  const together = partsTogether(group.first.part, groups)
  return groups.find((one) => together.includes(one.first.part) && showsOne(one)) === group
}

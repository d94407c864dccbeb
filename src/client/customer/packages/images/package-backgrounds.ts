import type { Infer } from 'superstruct'
import { type GreenScreen, listGreenScreens } from '#contract/customer/job-offers.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import { useQuery } from '#platform/api/use-query.ts'
import type { StepGroup } from '../customiser/customise-steps.ts'
import type { CustomisedPackage } from '../customiser/customised-package.ts'
import { chosenImageId } from './node-images.ts'

/** A background with its image URLs. */
export type Background = Infer<typeof GreenScreen> & { thumbnailUrl: string; previewUrl: string }

const isShown = (one: Infer<typeof GreenScreen>): one is Background =>
  one.thumbnailUrl !== null && one.previewUrl !== null

export const hasBackground = (part: CustomisedPackage | undefined): boolean =>
  (part?.passthrough.greenScreenBackgroundId ?? null) !== null

/** The job's backgrounds, loaded only if a cut-out needs one or already has one; undefined until loaded. */
export const useBackgrounds = (
  jobId: number,
  { images, parts }: { images: readonly Image[]; parts: readonly CustomisedPackage[] },
): readonly Background[] | undefined => {
  const isAsked = images.some((one) => one.hasAlpha) || parts.some(hasBackground)
  return useQuery(listGreenScreens, isAsked ? { params: { jobId } } : null).data?.filter(isShown)
}

/** The backgrounds in the format that lines store. */
export const toBackgroundSnapshotImages = (backgrounds: readonly Background[]): SnapshotImage[] =>
  backgrounds.map(({ id, imageId, width, height, thumbnailUrl }) => ({
    imageId,
    width,
    height,
    thumbnailUrl,
    greenScreenId: id,
  }))

/** The packages that share one background: those whose identical items are merged, and any connected through them. */
export const packagesSharingBackground = (part: number, groups: readonly StepGroup[]): number[] => {
  const together = new Set([part])
  const joined = groups.map(({ first, twins }) => [first, ...twins].map((step) => step.part))
  for (const _ of joined) {
    for (const parts of joined) if (parts.some((one) => together.has(one))) for (const one of parts) together.add(one)
  }
  return [...together]
}

type Shown = {
  groups: readonly StepGroup[]
  parts: readonly CustomisedPackage[]
  images: readonly Image[]
  /** Whether a package has, or initially had, a background. */
  hadBackground: (part: number) => boolean
}

/**
 * Whether the background is chosen at this group: at the first item with a cut-out, or the first that still has a
 * background without one.
 */
export const showsBackgroundChoice = (group: StepGroup, { groups, parts, images, hadBackground }: Shown): boolean => {
  const cutOuts = new Set(images.filter((one) => one.hasAlpha).map((one) => one.id))
  const showsOne = ({ first: { part, imageNodes } }: StepGroup): boolean =>
    imageNodes.some(({ id }) => {
      const choice = parts[part]?.images.find((one) => one.packageItemImageNodeId === id)
      return cutOuts.has(chosenImageId(choice) ?? 0)
    })
  const together = packagesSharingBackground(group.first.part, groups)
  const own = groups.filter((one) => together.includes(one.first.part))
  return (own.find(showsOne) ?? own.find(({ first }) => hadBackground(first.part))) === group
}

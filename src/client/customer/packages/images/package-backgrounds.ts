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

const hasUrls = (background: Infer<typeof GreenScreen>): background is Background =>
  background.thumbnailUrl !== null && background.previewUrl !== null

export const hasBackground = (part: CustomisedPackage | undefined): boolean =>
  (part?.passthrough.greenScreenBackgroundId ?? null) !== null

/** The job's backgrounds, loaded only if a cut-out needs one or already has one; undefined until loaded. */
export const useBackgrounds = (
  jobId: number,
  { images, parts }: { images: readonly Image[]; parts: readonly CustomisedPackage[] },
): readonly Background[] | undefined => {
  const needsBackgrounds = images.some((image) => image.hasAlpha) || parts.some(hasBackground)
  return useQuery(listGreenScreens, needsBackgrounds ? { params: { jobId } } : null).data?.filter(hasUrls)
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
  const connectedParts = new Set([part])
  const partsByGroup = groups.map(({ first, duplicates }) => [first, ...duplicates].map((step) => step.part))
  const isConnected = (parts: readonly number[]) => parts.some((index) => connectedParts.has(index))
  // Each round adds at least one group until no other is connected.
  for (const _ of partsByGroup) {
    for (const index of partsByGroup.filter(isConnected).flat()) connectedParts.add(index)
  }
  return [...connectedParts]
}

type BackgroundChoiceContext = {
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
export const showsBackgroundChoice = (
  group: StepGroup,
  { groups, parts, images, hadBackground }: BackgroundChoiceContext,
): boolean => {
  const cutOuts = new Set(images.filter((image) => image.hasAlpha).map((image) => image.id))
  const showsCutOut = ({ first: { part, imageNodes } }: StepGroup): boolean =>
    imageNodes.some(({ id }) => {
      const choice = parts[part]?.images.find((imageChoice) => imageChoice.packageItemImageNodeId === id)
      return cutOuts.has(chosenImageId(choice) ?? 0)
    })
  const connectedParts = packagesSharingBackground(group.first.part, groups)
  const connectedGroups = groups.filter((candidate) => connectedParts.includes(candidate.first.part))
  return (connectedGroups.find(showsCutOut) ?? connectedGroups.find(({ first }) => hadBackground(first.part))) === group
}

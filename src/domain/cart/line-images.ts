import type { ImageChoice, LineSnapshot } from './cart.ts'

/** The picture of a node that is shown and printed: a replacement in front of any other; null for an empty one. */
export const shownImageId = ({
  replacementImageId,
  subjectImageId,
  groupImageId,
}: Pick<ImageChoice, 'replacementImageId' | 'subjectImageId' | 'groupImageId'>): number | null =>
  replacementImageId ?? subjectImageId ?? groupImageId

/** A line's snapshot with the pictures that a later choice brought along, after those it knew. */
export const withSnapshotImages = (known: LineSnapshot, brought: LineSnapshot | null): LineSnapshot => {
  const ids = new Set(known.images.map((one) => one.imageId))
  const more = brought?.images.filter((one) => !ids.has(one.imageId)) ?? []
  return more.length === 0 ? known : { ...known, images: [...known.images, ...more] }
}

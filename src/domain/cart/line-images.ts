import type { ImageChoice, LineSnapshot } from './cart.ts'

/** The image of a node that is shown and printed; a replacement takes precedence. Null for an empty node. */
export const shownImageId = ({
  replacementImageId,
  subjectImageId,
  groupImageId,
}: Pick<ImageChoice, 'replacementImageId' | 'subjectImageId' | 'groupImageId'>): number | null =>
  replacementImageId ?? subjectImageId ?? groupImageId

/** A line's snapshot with the images of a later choice appended. */
export const withSnapshotImages = (known: LineSnapshot, brought: LineSnapshot | null): LineSnapshot => {
  const ids = new Set(known.images.map((one) => one.imageId))
  const more = brought?.images.filter((one) => !ids.has(one.imageId)) ?? []
  return more.length === 0 ? known : { ...known, images: [...known.images, ...more] }
}

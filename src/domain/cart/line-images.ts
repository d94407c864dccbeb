import type { ImageChoice, LineSnapshot } from './cart.ts'

/** The image of a node that is shown and printed; a replacement takes precedence. Null for an empty node. */
export const shownImageId = ({
  replacementImageId,
  subjectImageId,
  groupImageId,
}: Pick<ImageChoice, 'replacementImageId' | 'subjectImageId' | 'groupImageId'>): number | null =>
  replacementImageId ?? subjectImageId ?? groupImageId

/** A line's snapshot with the images of a later choice appended. */
export const withSnapshotImages = (current: LineSnapshot, later: LineSnapshot | null): LineSnapshot => {
  const currentIds = new Set(current.images.map((image) => image.imageId))
  const newImages = later?.images.filter((image) => !currentIds.has(image.imageId)) ?? []
  return newImages.length === 0 ? current : { ...current, images: [...current.images, ...newImages] }
}

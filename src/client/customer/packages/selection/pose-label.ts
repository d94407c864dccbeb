import type { Image } from '#contract/shapes/image-structs.ts'

/** An image's name to a customer: its place among the subject's images, or its group. */
export const poseLabel = (image: Image, index: number): string =>
  image.type === 'hosted-group' ? `${image.groupName ?? 'Group'} photo` : `Photo ${index + 1}`

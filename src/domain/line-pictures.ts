import type { LineSnapshot } from './cart.ts'

/** A line's snapshot with the pictures that a later choice brought along, after those it knew. */
export const withPicturesOf = (known: LineSnapshot, brought: LineSnapshot | null): LineSnapshot => {
  const ids = new Set(known.images.map((one) => one.imageId))
  const more = brought?.images.filter((one) => !ids.has(one.imageId)) ?? []
  return more.length === 0 ? known : { ...known, images: [...known.images, ...more] }
}

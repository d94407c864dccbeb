/** An area of a print or of an image, in pixels from the upper left corner; fractions are positions between pixels. */
export type Area = { left: number; top: number; width: number; height: number }

/** The area rounded to whole pixels, each edge to the nearest pixel, so that neighbouring areas have no gap between them. */
export const roundToPixels = ({ left, top, width, height }: Area): Area =>
  roundEdges(Math.round, Math.round, { left, top, width, height })

/** The smallest area of whole pixels that contains an area. */
export const expandToPixels = (area: Area): Area => roundEdges(Math.floor, Math.ceil, area)

type Round = (value: number) => number

const roundEdges = (roundNear: Round, roundFar: Round, { left, top, width, height }: Area): Area => ({
  left: roundNear(left),
  top: roundNear(top),
  width: roundFar(left + width) - roundNear(left),
  height: roundFar(top + height) - roundNear(top),
})

/** The intersection of two areas; null if they do not overlap. */
export const intersectionOf = (first: Area, second: Area): Area | null => {
  const left = Math.max(first.left, second.left)
  const top = Math.max(first.top, second.top)
  const width = Math.min(first.left + first.width, second.left + second.width) - left
  const height = Math.min(first.top + first.height, second.top + second.height) - top
  return width > 0 && height > 0 ? { left, top, width, height } : null
}

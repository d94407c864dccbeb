/** An area of a print or of an image, in pixels from the upper left corner; fractions are positions between pixels. */
export type Area = { left: number; top: number; width: number; height: number }

/** The area rounded to whole pixels, each edge to the nearest, so that neighbours meet without a gap. */
export const onPixels = ({ left, top, width, height }: Area): Area =>
  between(Math.round, Math.round, { left, top, width, height })

/** The smallest area of whole pixels around one. */
export const aroundPixels = (area: Area): Area => between(Math.floor, Math.ceil, area)

type Round = (value: number) => number

const between = (near: Round, far: Round, { left, top, width, height }: Area): Area => ({
  left: near(left),
  top: near(top),
  width: far(left + width) - near(left),
  height: far(top + height) - near(top),
})

/** The intersection of two areas; null where they do not meet. */
export const intersectionOf = (one: Area, other: Area): Area | null => {
  const left = Math.max(one.left, other.left)
  const top = Math.max(one.top, other.top)
  const width = Math.min(one.left + one.width, other.left + other.width) - left
  const height = Math.min(one.top + one.height, other.top + other.height) - top
  return width > 0 && height > 0 ? { left, top, width, height } : null
}

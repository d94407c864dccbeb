import { ownFrameInches } from '../catalogue/catalogue.ts'

/** Scenes that show prints next to things of known size. All lengths are inches, from the upper left corner. */

export type SceneKind = 'wall' | 'frame' | 'shelf' | 'hand'

type PrintSize = {
  widthInches: number | null
  heightInches: number | null
  /** Whether the print comes in a frame of its own. */
  hasFrame?: boolean
}

type Box = { x: number; y: number; width: number; height: number }

/** A scene with the boxes of its prints; `index` is the print's position in the input. */
export type PrintScene = {
  kind: SceneKind
  width: number
  height: number
  prints: readonly (Box & { index: number; hasFrame: boolean })[]
}

type SizedPrint = { index: number; width: number; height: number; hasFrame: boolean }

type SceneSize = Pick<PrintScene, 'width' | 'height'>

type SceneRule = {
  /** Limits of a print's longer side. */
  minLength: number
  maxLength: number
  /** Maximum number of prints; the largest are shown. */
  maxPrints: number
  /** The space that the prints and the things next to them need. */
  minSize: (prints: readonly SizedPrint[]) => SceneSize
  place: (prints: readonly SizedPrint[], scene: SceneSize) => PrintScene['prints']
}

/** Width divided by height of every scene, so that a change of the scene doesn't move what is below it. */
export const sceneAspect = 4 / 3
/** Height of the sideboard that is visible at the bottom of a wall. */
export const sideboardHeight = 8
export const sideboardWidth = 36
/** Distance between the lower edge of the scene and the top of the shelf. */
export const shelfBottom = 3
/** Width of the mug and the books, which are to the right of the last print. */
export const shelfObjectsWidth = 7.5
/** Width of the frame and of the mat between frame and print. */
export const frameWidth = 1
export const matWidth = 1.5
/** Gap between the prints on a shelf, and between the last of them and the mug. */
export const shelfGap = 1
/** Space below a print for the hand that holds it. */
const handHeight = 3.4

const totalWidth = (prints: readonly SizedPrint[], gap: number): number =>
  prints.reduce((sum, { width }) => sum + width, gap * (prints.length - 1))

const tallest = (prints: readonly SizedPrint[]): number => Math.max(...prints.map(({ height }) => height))

/** The smallest scene of the common aspect that has room for a size. */
const toSceneAspect = ({ width, height }: SceneSize): SceneSize =>
  width < height * sceneAspect ? { width: height * sceneAspect, height } : { width, height: width / sceneAspect }

/** Prints side by side; `top` is the position of a print's upper edge. */
const inRow = (prints: readonly SizedPrint[], gap: number, left: number, top: (print: SizedPrint) => number) =>
  prints.map((print, place) => ({
    ...print,
    x: prints.slice(0, place).reduce((x, { width }) => x + width + gap, left),
    y: top(print),
  }))

const sceneRules: Record<SceneKind, SceneRule> = {
  wall: {
    minLength: 8,
    maxLength: 40,
    maxPrints: 3,
    minSize: (prints) => ({
      width: Math.max(42, totalWidth(prints, 3) + 10),
      height: tallest(prints) + sideboardHeight + 9,
    }),
    place: (prints, { width, height }) => {
      const middle = (height - sideboardHeight) / 2
      return inRow(prints, 3, (width - totalWidth(prints, 3)) / 2, (print) => middle - print.height / 2)
    },
  },
  frame: {
    minLength: 5,
    maxLength: 20,
    maxPrints: 1,
    minSize: (prints) => {
      const margin = frameWidth + matWidth + 2
      return { width: totalWidth(prints, 0) + 2 * margin, height: tallest(prints) + 2 * margin }
    },
    place: (prints, { width, height }) =>
      inRow(prints, 0, (width - totalWidth(prints, 0)) / 2, (print) => (height - print.height) / 2),
  },
  shelf: {
    minLength: 5,
    maxLength: 7,
    maxPrints: 3,
    minSize: (prints) => ({
      width: Math.max(18, shelfGroupWidth(prints) + 4),
      height: Math.max(tallest(prints), 9) + shelfBottom + 1.5,
    }),
    place: (prints, { width, height }) =>
      inRow(prints, shelfGap, (width - shelfGroupWidth(prints)) / 2, (print) => {
        const ownFrame = print.hasFrame ? ownFrameInches : 0
        return height - shelfBottom - print.height - ownFrame
      }),
  },
  hand: {
    minLength: 0,
    maxLength: 6,
    maxPrints: 1,
    minSize: (prints) => ({ width: Math.max(9, totalWidth(prints, 0) + 4), height: tallest(prints) + handHeight + 1 }),
    place: (prints, { width, height }) =>
      inRow(prints, 0, (width - totalWidth(prints, 0)) / 2, (print) => height - handHeight - print.height),
  },
}

/** Width of the prints on a shelf together with the mug and the books. */
const shelfGroupWidth = (prints: readonly SizedPrint[]): number =>
  totalWidth(prints, shelfGap) + shelfGap + shelfObjectsWidth

const sceneKinds: readonly SceneKind[] = ['wall', 'frame', 'shelf', 'hand']

/** The scenes that suit the sizes of some prints, each to its own scale; none for downloads. */
export const scenesOf = (sizes: readonly PrintSize[]): PrintScene[] => {
  const prints = sizes
    .flatMap(({ widthInches, heightInches, hasFrame = false }, index) =>
      widthInches && heightInches ? [{ index, width: widthInches, height: heightInches, hasFrame }] : [],
    )
    .sort((one, other) => other.width * other.height - one.width * one.height)
  return sceneKinds.flatMap((kind) => {
    const { minLength, maxLength, maxPrints, minSize, place } = sceneRules[kind]
    const suitable = prints.filter(({ width, height }) => {
      const length = Math.max(width, height)
      return length >= minLength && length <= maxLength
    })
    if (suitable.length === 0) return []
    // The frame is for the print that comes in one.
    const first = kind === 'frame' ? suitable.find(({ hasFrame }) => hasFrame) : undefined
    const shown = first ? [first] : suitable.slice(0, maxPrints)
    const size = toSceneAspect(minSize(shown))
    return [{ kind, ...size, prints: place(shown, size) }]
  })
}

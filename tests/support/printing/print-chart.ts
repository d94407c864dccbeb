import sharp from 'sharp'
import type { CropDimensions } from '#domain/cart/cart.ts'
import type { PackageItem, PositionCoords } from '#domain/catalogue/catalogue.ts'
import { centredCrop, fitCropToNode, renderBox, type Size } from '#domain/printing/crop.ts'
import { moveCropInside } from '#domain/printing/crop-changes.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { storedWithOrientation } from '#tests/server/images/image-samples.ts'

/** The properties in which the tested prints differ. */
export type ChartCase = {
  aspect: readonly [width: number, height: number]
  orientation: 'portrait' | 'landscape'
  rotation: number
  exif: number
  /** Inches of the image's longer side. */
  inches: number
  /** The size of the crop relative to the largest possible one, and its position in the image. */
  zoom: number
  towards: { x: number; y: number }
}

export const aspects = [
  [5, 7],
  [7, 5],
  [8, 10],
  [10, 8],
  [1, 1],
] as const
export const orientations = ['portrait', 'landscape'] as const
export const rotations = [0, 90, 180, 270, 7, 45, 333]
export const exifOrientations = [1, 2, 3, 4, 5, 6, 7, 8]

/** Colours that nothing else on a chart has. */
export const markColours = {
  red: '#f00',
  green: '#0f0',
  blue: '#00f',
  yellow: '#ff0',
  magenta: '#f0f',
  cyan: '#0ff',
} as const
export type MarkName = keyof typeof markColours

/** The position of a mark in its node, as fractions of the node's size. */
type Mark = { name: MarkName; x: number; y: number }

/** An image with marks, and its crop. */
export type ChartImage = { file: Buffer; width: number; height: number; crop: CropDimensions | null; rotation: number }

export type Chart = {
  item: PackageItem
  photo: ChartImage
  cutOut: ChartImage
  background: ChartImage
  texts: ReadonlyMap<number, string>
  /** Expected position of each mark, as fractions of the print's size. */
  marks: Record<MarkName, { x: number; y: number }>
}

/** Ids of the chart's nodes. */
export const chartNodeIds = { photo: 1, cutOut: 2, onPhoto: 3, onPaper: 4 } as const

// The photo is above a strip of paper. The cut-out lies on a background within the photo, at fractional pixels.
const photoBox: PositionCoords = { x: 0, y: 0, width: 100, height: 80 }
const cutOutBox: PositionCoords = { x: 60.37, y: 41.23, width: 31.7, height: 29.9 }
export const onImageBox: PositionCoords = { x: 5, y: 72.5, width: 50, height: 6 }
export const onPaperBox: PositionCoords = { x: 10.3, y: 84.1, width: 80, height: 9 }

const photoMarks: Mark[] = [
  { name: 'red', x: 0.2, y: 0.22 },
  { name: 'green', x: 0.8, y: 0.2 },
  { name: 'blue', x: 0.24, y: 0.7 },
]
const cutOutMarks: Mark[] = [
  { name: 'magenta', x: 0.72, y: 0.25 },
  { name: 'cyan', x: 0.66, y: 0.74 },
]
const backgroundMarks: Mark[] = [{ name: 'yellow', x: 0.22, y: 0.4 }]

const grey = '#888'

/** Lightness (0 to 255) of the ground under the texts. The screen's paper has its own colour. */
export const textGrounds = { photo: 0x88, paper: 0xfd } as const

const imageSizes: Record<ChartCase['orientation'], Size> = {
  portrait: { width: 1000, height: 1400 },
  landscape: { width: 1400, height: 1000 },
}
const backgroundSize: Size = { width: 600, height: 500 }

type CropPlacement = { image: Size; crop: CropDimensions; rotation: number; aspect: number }

/** The point of the image that the print rules map to a point of its node. */
const imagePointOf = ({ image, crop, rotation, aspect }: CropPlacement, { x, y }: { x: number; y: number }) => {
  const visibleCrop = fitCropToNode({ crop, image, rotation, aspect })
  const box = renderBox(visibleCrop, image, rotation)
  const scale = image.width / (box.width / 100)
  const radians = (-box.rotation * Math.PI) / 180
  const right = (x - box.left / 100) * scale
  const down = ((y - box.top / 100) * scale) / aspect
  return {
    x: image.width / 2 + right * Math.cos(radians) - down * Math.sin(radians),
    y: image.height / 2 + right * Math.sin(radians) + down * Math.cos(radians),
    radius: scale * 0.035,
  }
}

const drawSvg = (placement: CropPlacement, marks: readonly Mark[], paper: string): Buffer => {
  const { width, height } = placement.image
  const discs = marks.map((mark) => {
    const { x, y, radius } = imagePointOf(placement, mark)
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${markColours[mark.name]}"/>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${discs.join('')}</svg>`,
  )
}

const cropPlacementOf = (chartCase: ChartCase, image: Size, aspect: number): CropPlacement => {
  const { rotation, zoom, towards } = chartCase
  const largestCrop = centredCrop(image, aspect, rotation)
  const width = largestCrop.width * zoom
  const height = largestCrop.height * zoom
  const xMid = 50 + towards.x * (50 - width / 2)
  const yMid = 50 + towards.y * (50 - height / 2)
  const requestedCrop = { width, height, xMid, yMid, cropX: xMid - width / 2, cropY: yMid - height / 2 }
  return { image, rotation, aspect, crop: moveCropInside(requestedCrop, image, rotation) }
}

const itemOf = ({ aspect: [width, height], inches }: ChartCase): PackageItem => {
  const unitInches = inches / Math.max(width, height)
  return packageItem({
    widthInches: width * unitInches,
    heightInches: (height * unitInches) / (photoBox.height / 100),
    imageNodes: [
      imageNode({ id: chartNodeIds.photo, name: 'Image 1', positionCoords: photoBox }),
      imageNode({ id: chartNodeIds.cutOut, name: 'Image 2', positionCoords: cutOutBox }),
    ],
    textNodes: [
      textNode({ id: chartNodeIds.onPhoto, positionCoords: onImageBox }),
      textNode({ id: chartNodeIds.onPaper, positionCoords: onPaperBox }),
    ],
  })
}

const positionInPrint = (box: PositionCoords, { name, x, y }: Mark) => [
  name,
  { x: (box.x + x * box.width) / 100, y: (box.y + y * box.height) / 100 },
]

/** Draws images with marks for a case, and computes where its print must show them. */
export const drawChart = async (chartCase: ChartCase): Promise<Chart> => {
  const item = itemOf(chartCase)
  const [width = 0, height = 0] = [item.widthInches ?? 0, item.heightInches ?? 0]
  const aspectIn = (box: PositionCoords) => (box.width * width) / (box.height * height)
  const imageSize = imageSizes[chartCase.orientation]
  const photo = cropPlacementOf(chartCase, imageSize, aspectIn(photoBox))
  const cutOut = cropPlacementOf(
    { ...chartCase, rotation: (chartCase.rotation + 90) % 360 },
    imageSize,
    aspectIn(cutOutBox),
  )
  const background = cropPlacementOf(
    { ...chartCase, rotation: 0, zoom: 1, towards: { x: 0, y: 0 } },
    backgroundSize,
    aspectIn(cutOutBox),
  )
  const { rotation } = chartCase
  return {
    item,
    photo: {
      ...imageSize,
      file: await storedWithOrientation(drawSvg(photo, photoMarks, grey), chartCase.exif),
      crop: photo.crop,
      rotation,
    },
    cutOut: {
      ...imageSize,
      file: await sharp(drawSvg(cutOut, cutOutMarks, 'none'))
        .png()
        .toBuffer(),
      crop: cutOut.crop,
      rotation: cutOut.rotation,
    },
    background: {
      ...backgroundSize,
      file: await storedWithOrientation(drawSvg(background, backgroundMarks, grey), chartCase.exif),
      crop: null,
      rotation: 0,
    },
    texts: new Map([
      [chartNodeIds.onPhoto, 'Šárka Nguyễn'],
      [chartNodeIds.onPaper, 'Łukasz & Zoë, 2027'],
    ]),
    marks: Object.fromEntries([
      ...photoMarks.map((mark) => positionInPrint(photoBox, mark)),
      ...cutOutMarks.map((mark) => positionInPrint(cutOutBox, mark)),
      ...backgroundMarks.map((mark) => positionInPrint(cutOutBox, mark)),
    ]),
  }
}

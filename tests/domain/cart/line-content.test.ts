import { describe, expect, test } from 'vitest'
import type { CartPackage } from '#domain/cart/cart.ts'
import { fillLine, withPackageVersion } from '#domain/cart/line-content.ts'
import { withSnapshotImages } from '#domain/cart/line-images.ts'
import {
  imageChoice,
  imageNode,
  lineOf,
  noContent,
  packageItem,
  packageOf,
  snapshotOf,
  textChoice,
  textNode,
} from './cart-fixtures.ts'

const back = packageItem({
  id: 2,
  imageNodes: [imageNode({ id: 12 })],
  textNodes: [textNode({ id: 22, value: '2027' })],
})
const two = packageOf({ items: [packageItem(), back] })
const filled = { textNodes: [textChoice(21, 'Ada')], imageNodes: [imageChoice(11), imageChoice(12, 502)] }

const textsOf = (line: CartPackage) => line.cartPackageItems.map((item) => item.textNodes)
const picturesOf = (line: CartPackage) =>
  line.cartPackageItems.map((item) => item.imageNodes.map((node) => [node.packageItemImageNodeId, node.subjectImageId]))

describe('the content of a line', () => {
  test('a new line contains the studio’s own texts, not autofilled, and no image', () => {
    const line = lineOf(two)
    expect(textsOf(line)).toEqual([
      [{ id: null, packageItemTextNodeId: 21, value: '', autoFilled: false }],
      [{ id: null, packageItemTextNodeId: 22, value: '2027', autoFilled: false }],
    ])
    expect(picturesOf(line)).toEqual([[[11, null]], [[12, null]]])
    expect(line.greenScreen).toBeNull()
  })

  test('a line has the background of its last change, or none', () => {
    const line = lineOf(two, { greenScreenBackgroundId: 5 })
    expect(line.greenScreen).toEqual({ id: 5 })
    expect(fillLine(line, { ...noContent, greenScreenBackgroundId: 6 })?.greenScreen).toEqual({ id: 6 })
    expect(fillLine(line, noContent)?.greenScreen).toBeNull()
  })
})

describe('a newer package version on a line', () => {
  const line = lineOf(two, filled)
  const [front, rear] = line.cartPackageItems
  const known = {
    ...line,
    cartPackageItems: [
      { ...front, id: 71 },
      { ...rear, id: 72 },
    ],
  } as CartPackage // both are there
  const third = packageItem({ id: 3, imageNodes: [imageNode({ id: 13 })], textNodes: [] })
  const accepted = () =>
    withPackageVersion(known, snapshotOf({ ...two, version: 2, retailCost: 30, items: [back, packageItem(), third] }))

  test('accepting a newer version keeps the id of each item in the new order, and new items have none', () => {
    expect(accepted().cartPackageItems.map((item) => [item.packageItemId, item.id])).toEqual([
      [2, 72],
      [1, 71],
      [3, null],
    ])
  })

  test('accepting a newer version keeps the choice of each node', () => {
    expect(picturesOf(accepted())).toEqual([[[12, 502]], [[11, 501]], [[13, null]]])
    expect(textsOf(accepted()).map((texts) => texts.map((one) => one.value))).toEqual([['2027'], ['Ada'], []])
    expect(accepted()).toMatchObject({ price: 30, snapshot: { package: { version: 2 } } })
  })
})

describe('the images of a line’s snapshot', () => {
  const known = snapshotOf(two)
  const fact = (imageId: number) => ({ imageId, width: 1, height: 1, thumbnailUrl: `/photos/${imageId}` })

  test('images of a later choice are appended to the known ones, each once', () => {
    const more = withSnapshotImages(known, { ...known, images: [fact(501), fact(502)] })
    expect(more.images).toEqual([...known.images, fact(502)])
  })

  test('the snapshot stays the same object if no image is new', () => {
    expect(withSnapshotImages(known, null)).toBe(known)
    expect(withSnapshotImages(known, { ...known, images: [fact(501)] })).toBe(known)
  })
})

import { describe, expect, test } from 'vitest'
import type { CartPackage } from '#domain/cart/cart.ts'
import { fillLine, withPackageVersion, withSnapshotImages } from '#domain/cart/line-content.ts'
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

const backItem = packageItem({
  id: 2,
  imageNodes: [imageNode({ id: 12 })],
  textNodes: [textNode({ id: 22, value: '2027' })],
})
const packageWithTwoItems = packageOf({ items: [packageItem(), backItem] })
const filled = { textNodes: [textChoice(21, 'Ada')], imageNodes: [imageChoice(11), imageChoice(12, 502)] }

const textsOf = (line: CartPackage) => line.cartPackageItems.map((item) => item.textNodes)
const imagesOf = (line: CartPackage) =>
  line.cartPackageItems.map((item) => item.imageNodes.map((node) => [node.packageItemImageNodeId, node.subjectImageId]))

describe('the content of a line', () => {
  test('a new line contains the studio’s own texts, not autofilled, and no image', () => {
    const line = lineOf(packageWithTwoItems)
    expect(textsOf(line)).toEqual([
      [{ id: null, packageItemTextNodeId: 21, value: '', autoFilled: false }],
      [{ id: null, packageItemTextNodeId: 22, value: '2027', autoFilled: false }],
    ])
    expect(imagesOf(line)).toEqual([[[11, null]], [[12, null]]])
    expect(line.greenScreen).toBeNull()
  })

  test('a line has the background of its last change, or none', () => {
    const line = lineOf(packageWithTwoItems, { greenScreenBackgroundId: 5 })
    expect(line.greenScreen).toEqual({ id: 5 })
    expect(fillLine(line, { ...noContent, greenScreenBackgroundId: 6 })?.greenScreen).toEqual({ id: 6 })
    expect(fillLine(line, noContent)?.greenScreen).toBeNull()
  })
})

describe('a newer package version on a line', () => {
  const line = lineOf(packageWithTwoItems, filled)
  const [front, rear] = line.cartPackageItems
  const storedLine = {
    ...line,
    cartPackageItems: [
      { ...front, id: 71 },
      { ...rear, id: 72 },
    ],
  } as CartPackage // both items exist
  const newItem = packageItem({ id: 3, imageNodes: [imageNode({ id: 13 })], textNodes: [] })
  const acceptNewVersion = () =>
    withPackageVersion(
      storedLine,
      snapshotOf({ ...packageWithTwoItems, version: 2, retailCost: 30, items: [backItem, packageItem(), newItem] }),
    )

  test('accepting a newer version keeps the id of each item in the new order, and new items have none', () => {
    expect(acceptNewVersion().cartPackageItems.map((item) => [item.packageItemId, item.id])).toEqual([
      [2, 72],
      [1, 71],
      [3, null],
    ])
  })

  test('accepting a newer version keeps the choice of each node', () => {
    expect(imagesOf(acceptNewVersion())).toEqual([[[12, 502]], [[11, 501]], [[13, null]]])
    expect(textsOf(acceptNewVersion()).map((texts) => texts.map((text) => text.value))).toEqual([['2027'], ['Ada'], []])
    expect(acceptNewVersion()).toMatchObject({ price: 30, snapshot: { package: { version: 2 } } })
  })
})

describe('the images of a line’s snapshot', () => {
  const snapshot = snapshotOf(packageWithTwoItems)
  const image = (imageId: number) => ({ imageId, width: 1, height: 1, thumbnailUrl: `/photos/${imageId}` })

  test('images of a later choice are appended to the known ones, each once', () => {
    const merged = withSnapshotImages(snapshot, { ...snapshot, images: [image(501), image(502)] })
    expect(merged.images).toEqual([...snapshot.images, image(502)])
  })

  test('the snapshot stays the same object if no image is new', () => {
    expect(withSnapshotImages(snapshot, null)).toBe(snapshot)
    expect(withSnapshotImages(snapshot, { ...snapshot, images: [image(501)] })).toBe(snapshot)
  })
})

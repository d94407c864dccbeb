import { describe, expect, test } from 'vitest'
import { copyPackage } from '#client/customer/packages/customiser/copy-package.ts'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
  toLineContent,
} from '#client/customer/packages/customiser/customised-package.ts'
import { chosenImageId, toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import type { PackageSubject } from '#client/customer/packages/package-context.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { fillLine } from '#domain/cart/line-content.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { lineOf } from '#tests/domain/cart/cart-fixtures.ts'
import { customiseContext, familyPackage, groupImage, image, landscape, portrait } from '../package-examples.ts'

const adaImages = [portrait, landscape, groupImage]
const sam: PackageSubject = {
  subjectId: 8,
  personId: null,
  firstName: 'Sam',
  lastName: 'Lovelace',
  imageThumbnailUrl: null,
  dataFields: null,
  fields: [{ name: 'Email', value: 'sam@engine.test' }],
}
const samTeamImage = image(602, { type: 'hosted-group', groupId: 4, groupName: 'Otters' })
const samImages = [image(511), image(512, { width: 3000, height: 2000 }), samTeamImage]
const forSam = customiseContext({ subject: sam, images: samImages })

/** A cart line with this package, quantity 2 and a background. */
const cartLineOf = (part: CustomisedPackage): CartPackage => {
  const line = { ...lineOf(familyPackage), quantity: 2 }
  const snapshot = { ...line.snapshot, images: toSnapshotImages(adaImages) }
  const filledLine = fillLine({ ...line, snapshot }, { ...toLineContent(part), greenScreenBackgroundId: 9 })
  if (!filledLine) throw new Error('the line does not have these nodes')
  return filledLine
}
const typeText = (part: CustomisedPackage, nodeId: number, shown: string): CustomisedPackage => {
  const [typedPart] = customiseReducer([part], { do: 'type', part: 0, nodeId, shown })
  if (!typedPart) throw new Error('the part is missing')
  return typedPart
}
const newPackage = newCustomisedPackage(familyPackage, customiseContext())
const secondImagePackage = customiseReducer([newPackage], {
  do: 'choose',
  part: 0,
  nodeId: 421,
  image: landscape,
  images: adaImages,
  organizationType: 'school',
  everywhere: false,
})[0] as CustomisedPackage // one package in, one out
const copyForSam = (part: CustomisedPackage, images = adaImages, to = forSam) =>
  copyPackage(familyPackage, { line: cartLineOf(part), images }, to)
const imageIdOf = (part: CustomisedPackage, nodeId: number) =>
  chosenImageId(part.images.find((node) => node.packageItemImageNodeId === nodeId))
const shownText = (part: CustomisedPackage, nodeId: number) => part.texts.find((text) => text.nodeId === nodeId)?.shown

describe('a package copied to a sibling', () => {
  test.each([
    ['if it is unknown whether it is still offered', undefined, 9],
    ['if it is still offered', [{ id: 8 }, { id: 9 }], 9],
    ['but not if it is no longer offered', [{ id: 8 }], null],
    ['but not if no background is offered', [], null],
  ])('keeps the same background, %s', (_, backgrounds, backgroundId) => {
    const part = copyPackage(familyPackage, { line: cartLineOf(newPackage), images: adaImages, backgrounds }, forSam)
    expect(toLineContent(part).greenScreenBackgroundId).toBe(backgroundId)
  })

  test('has the sibling’s image at the same position in each node, and their own group', () => {
    const part = copyForSam(secondImagePackage)
    expect([411, 421, 431, 441].map((id) => imageIdOf(part, id))).toEqual([511, 512, 511, 602])
  })

  test('has centred crops, even if those of the original are not', () => {
    const [cropped] = customiseReducer([secondImagePackage], {
      do: 'crop',
      part: 0,
      nodeId: 411,
      cropDimensions: { width: 40, height: 40, cropX: 30, cropY: 30, xMid: 50, yMid: 50 },
      frontendCropDimensions: { x: 0, y: 0, zoom: 2 },
      rotation: 12,
    }) as [CustomisedPackage] // one package in, one out
    const choice = copyForSam(cropped).images.find((node) => node.packageItemImageNodeId === 411)
    expect(choice).toMatchObject({ rotation: 0, cropDimensions: centredCrop(portrait, 8 / 10, 0) })
  })

  test.each([
    [
      'the sibling has fewer images',
      adaImages,
      customiseContext({ subject: sam, images: [image(511), samTeamImage] }),
      [511, 511],
    ],
    ['the original’s images are unavailable', [], forSam, [511, 511]],
  ] as const)('has the sibling’s first image if %s', (_, images, to, expected) => {
    const part = copyForSam(secondImagePackage, [...images], to)
    expect([411, 421].map((id) => imageIdOf(part, id))).toEqual(expected)
  })

  test('has the sibling’s own texts, even if the original’s were edited', () => {
    const part = copyForSam(typeText(newPackage, 412, 'Ada, our star'))
    expect([shownText(part, 412), shownText(part, 413)]).toEqual(['Sam Lovelace', 'sa***@engine.test'])
  })

  test('keeps typed texts except those with the original subject’s name', () => {
    expect(shownText(copyForSam(typeText(newPackage, 414, 'Go Rapids')), 414)).toBe('Go Rapids')
    expect(shownText(copyForSam(typeText(newPackage, 414, 'Go ADA!')), 414)).toBe('')
    expect(shownText(copyForSam(typeText(newPackage, 414, 'Canada')), 414)).toBe('Canada')
  })

  test('keeps the background and the quantity', () => {
    expect(copyForSam(newPackage)).toMatchObject({
      quantity: 2,
      passthrough: { greenScreenBackgroundId: 9, dataFields: [] },
    })
  })

  test('uses the package version that is currently offered', () => {
    const [firstItem, ...otherItems] = familyPackage.items
    const newerPackage = { ...familyPackage, version: 2, retailCost: 30, items: otherItems }
    const part = copyPackage(newerPackage, { line: cartLineOf(secondImagePackage), images: adaImages }, forSam)
    expect(part.package).toBe(newerPackage)
    expect(part.images.map((node) => node.packageItemImageNodeId)).not.toContain(firstItem?.imageNodes[0]?.id)
    expect(imageIdOf(part, 421)).toBe(512)
  })

  test('has no images before picture day', () => {
    expect(copyForSam(newPackage, adaImages, { ...forSam, orderMethod: 'prepay' }).images).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { copyPackage } from '#client/customer/packages/customiser/copy-package.ts'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
  toLineContent,
} from '#client/customer/packages/customiser/customised-package.ts'
import { chosenImageId, toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import type { PackageSubject } from '#client/customer/packages/package-subject.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { fillLine } from '#domain/cart/line-content.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { lineOf } from '../../../../domain/cart/cart-fixtures.ts'
import { customiseContext, familyPackage, groupImage, image, landscape, portrait } from '../package-examples.ts'

const theirs = [portrait, landscape, groupImage]
const sam: PackageSubject = {
  subjectId: 8,
  personId: null,
  firstName: 'Sam',
  lastName: 'Lovelace',
  imageThumbnailUrl: null,
  dataFields: null,
  fields: [{ name: 'Email', value: 'sam@engine.test' }],
}
const samsTeam = image(602, { type: 'hosted-group', groupId: 4, groupName: 'Otters' })
const sams = [image(511), image(512, { width: 3000, height: 2000 }), samsTeam]
const forSam = customiseContext({ person: sam, images: sams })

/** The cart line of these packages: two of them, on a background. */
const made = (part: CustomisedPackage): CartPackage => {
  const line = { ...lineOf(familyPackage), quantity: 2 }
  const snapshot = { ...line.snapshot, images: toSnapshotImages(theirs) }
  const filled = fillLine({ ...line, snapshot }, { ...toLineContent(part), greenScreenBackgroundId: 9 })
  if (!filled) throw new Error('the line does not have these nodes')
  return filled
}
const typed = (part: CustomisedPackage, nodeId: number, shown: string): CustomisedPackage => {
  const [next] = customiseReducer([part], { do: 'type', part: 0, nodeId, shown })
  if (!next) throw new Error('the part is gone')
  return next
}
const started = newCustomisedPackage(familyPackage, customiseContext())
const otherPose = customiseReducer([started], {
  do: 'choose',
  part: 0,
  nodeId: 421,
  image: landscape,
  images: theirs,
  organizationType: 'school',
  everywhere: false,
})[0] as CustomisedPackage // one in, one out
const copied = (part: CustomisedPackage, images = theirs, to = forSam) =>
  copyPackage(familyPackage, { line: made(part), images }, to)
const picture = (part: CustomisedPackage, nodeId: number) =>
  chosenImageId(part.images.find((one) => one.packageItemImageNodeId === nodeId))
const shown = (part: CustomisedPackage, nodeId: number) => part.texts.find((one) => one.nodeId === nodeId)?.shown

describe('a package copied to a sibling', () => {
  test.each([
    ['unless it is known to be gone', undefined, 9],
    ['if it is still offered', [{ id: 8 }, { id: 9 }], 9],
    ['but not if it is gone', [{ id: 8 }], null],
    ['but not if none is left', [], null],
  ])('keeps the same background, %s', (_, backgrounds, screen) => {
    const part = copyPackage(familyPackage, { line: made(started), images: theirs, backgrounds }, forSam)
    expect(toLineContent(part).greenScreenBackgroundId).toBe(screen)
  })

  test('has the sibling’s image at the same position in each node, and their own group', () => {
    const part = copied(otherPose)
    expect([411, 421, 431, 441].map((id) => picture(part, id))).toEqual([511, 512, 511, 602])
  })

  test('has centred crops, whatever the original’s are', () => {
    const [cropped] = customiseReducer([otherPose], {
      do: 'crop',
      part: 0,
      nodeId: 411,
      cropDimensions: { width: 40, height: 40, cropX: 30, cropY: 30, xMid: 50, yMid: 50 },
      frontendCropDimensions: { x: 0, y: 0, zoom: 2 },
      rotation: 12,
    }) as [CustomisedPackage] // one in, one out
    const choice = copied(cropped).images.find((one) => one.packageItemImageNodeId === 411)
    expect(choice).toMatchObject({ rotation: 0, cropDimensions: centredCrop(portrait, 8 / 10, 0) })
  })

  test.each([
    [
      'the sibling has fewer images',
      theirs,
      customiseContext({ person: sam, images: [image(511), samsTeam] }),
      [511, 511],
    ],
    ['the original’s images are unavailable', [], forSam, [511, 511]],
  ] as const)('has the sibling’s first image if %s', (_, images, to, expected) => {
    const part = copied(otherPose, [...images], to)
    expect([411, 421].map((id) => picture(part, id))).toEqual(expected)
  })

  test('has the sibling’s own texts, even if the original’s were edited', () => {
    const part = copied(typed(started, 412, 'Ada, our star'))
    expect([shown(part, 412), shown(part, 413)]).toEqual(['Sam Lovelace', 'sa***@engine.test'])
  })

  test('keeps typed texts except those with the original’s name', () => {
    expect(shown(copied(typed(started, 414, 'Go Rapids')), 414)).toBe('Go Rapids')
    expect(shown(copied(typed(started, 414, 'Go ADA!')), 414)).toBe('')
    expect(shown(copied(typed(started, 414, 'Canada')), 414)).toBe('Canada')
  })

  test('keeps the background and the quantity', () => {
    expect(copied(started)).toMatchObject({ quantity: 2, passthrough: { greenScreenBackgroundId: 9, dataFields: [] } })
  })

  test('uses the package version that is currently offered', () => {
    const [first, ...others] = familyPackage.items
    const newer = { ...familyPackage, version: 2, retailCost: 30, items: others }
    const part = copyPackage(newer, { line: made(otherPose), images: theirs }, forSam)
    expect(part.package).toBe(newer)
    expect(part.images.map((one) => one.packageItemImageNodeId)).not.toContain(first?.imageNodes[0]?.id)
    expect(picture(part, 421)).toBe(512)
  })

  test('has no images before picture day', () => {
    expect(copied(started, theirs, { ...forSam, orderMethod: 'prepay' }).images).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  customisedPackageFromLine,
  newCustomisedPackage,
  previewLine,
  toLineContent,
  toLineSnapshot,
} from '#client/customer/packages/customiser/customised-package.ts'
import { imagesForNode, toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import { isBrokenMask, isMasked } from '#domain/catalogue/mask.ts'
import { centredCrop } from '#domain/printing/crop.ts'
import { imageNode, lineOf, packageItem, packageOf, textChoice } from '../../../../domain/cart/cart-fixtures.ts'
import {
  ada,
  customiseContext,
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../package-examples.ts'

const started = newCustomisedPackage(familyPackage, customiseContext())
const field = (part: CustomisedPackage, nodeId: number) => {
  const found = part.texts.find((one) => one.nodeId === nodeId)
  if (!found) throw new Error(`no text ${nodeId}`)
  return found
}
const typed = (part: CustomisedPackage, nodeId: number, shown: string): CustomisedPackage => {
  const [next] = customiseReducer([part], { do: 'type', part: 0, nodeId, shown })
  if (!next) throw new Error('the part is gone')
  return next
}
const sent = (part: CustomisedPackage, nodeId: number) =>
  toLineContent(part).textNodes.find((one) => one.packageItemTextNodeId === nodeId)

describe('a package at its beginning', () => {
  test('has the first own picture in the middle of each of its nodes, and the group’s in the group’s', () => {
    expect(started.images.map((one) => [one.packageItemImageNodeId, one.subjectImageId, one.groupImageId])).toEqual([
      [411, 501, null],
      [421, 501, null],
      [431, 501, null],
      [441, null, 601],
    ])
    expect(started.images[0]?.cropDimensions).toEqual(centredCrop(portrait, 8 / 10, 0))
    expect(started.images[1]?.cropDimensions).toEqual(centredCrop(portrait, 5 / 7, 0))
  })

  test('has no crop where nobody may crop', () => {
    expect(started.images[3]?.cropDimensions).toBeNull()
  })

  test('takes the pose chosen before wherever it fits', () => {
    const images = newCustomisedPackage(familyPackage, customiseContext({ imageId: landscape.id })).images
    expect(images.map((one) => one.subjectImageId ?? one.groupImageId)).toEqual([502, 502, 502, 601])
  })

  test('never begins with a replacement, which replaces nothing yet', () => {
    const images = [replacementImage, portrait, groupImage]
    const started = newCustomisedPackage(
      familyPackage,
      customiseContext({ images, imageId: replacementImage.id }),
    ).images
    expect(started.map((one) => one.subjectImageId ?? one.groupImageId)).toEqual([501, 501, 501, 601])
  })

  test('has no pictures before picture day', () => {
    expect(newCustomisedPackage(familyPackage, customiseContext({ orderMethod: 'prepay' })).images).toEqual([])
  })

  test('keeps a sport’s own 5x7 shape', () => {
    const own = { ...portrait, width: 2500, height: 3500 }
    const [first] = newCustomisedPackage(
      familyPackage,
      customiseContext({ images: [own], organizationType: 'sport' }),
    ).images
    expect(first?.cropDimensions).toEqual(centredCrop(own, 5 / 7, 0))
  })

  test('offers other pictures to a group node where there is no group', () => {
    expect(imagesForNode({ name: 'Group 1' }, [portrait])).toEqual([portrait])
    expect(imagesForNode({ name: 'Group 1' }, [portrait, groupImage])).toEqual([groupImage])
  })
})

describe('texts', () => {
  test('an e-mail address is masked on the screen and sent as it is', () => {
    expect(field(started, 413).shown).toBe('ad***@engine.test')
    expect(sent(started, 413)).toEqual({
      packageItemTextNodeId: 413,
      value: 'ada.lovelace@engine.test',
      autoFilled: true,
    })
  })

  test('a new value replaces the masked one', () => {
    const part = typed(started, 413, 'countess@engine.test')
    expect(sent(part, 413)).toMatchObject({ value: 'countess@engine.test', autoFilled: false })
    expect(isMasked(field(part, 413))).toBe(false)
  })

  test('a mask typed into is neither the old value nor a new one', () => {
    expect(isBrokenMask(field(typed(started, 413, 'ad***@engine.tes'), 413))).toBe(true)
    expect(isBrokenMask(field(started, 413))).toBe(false)
  })

  test('a name filled in counts as filled in until it is changed', () => {
    expect(sent(started, 412)).toMatchObject({ value: 'Ada Lovelace', autoFilled: true })
    expect(sent(typed(started, 412, 'Ada'), 412)).toMatchObject({ value: 'Ada', autoFilled: false })
  })

  test('a line opened again shows its address masked and keeps it', () => {
    const line = lineOf(familyPackage, { textNodes: [textChoice(413, 'countess@engine.test')] })
    const part = customisedPackageFromLine(line)
    expect(field(part, 413).shown).toBe('co***@engine.test')
    expect(sent(part, 413)?.value).toBe('countess@engine.test')
  })
})

describe('a line whose newer version brought texts that nobody filled in', () => {
  const line = lineOf(familyPackage, { textNodes: [textChoice(414, 'Onward')] })

  test('is filled in as a new package is, masked too, when it is opened; what stands there stays', () => {
    const part = customisedPackageFromLine(line, ada)
    expect(part.texts.slice(0, 3).map((text) => text.shown)).toEqual(['Ada Lovelace', 'ad***@engine.test', 'Onward'])
    expect(sent(part, 413)).toMatchObject({ value: 'ada.lovelace@engine.test', autoFilled: true })
    expect(sent(part, 414)).toMatchObject({ value: 'Onward', autoFilled: false })
  })

  test('is left as it is where nobody knows the person', () => {
    expect(field(customisedPackageFromLine(line), 412).shown).toBe('')
  })
})

describe('what a line is made from', () => {
  test('the package’s version, the person, and only the pictures used', () => {
    const snapshot = toLineSnapshot(started, ada, toSnapshotImages([portrait, landscape, groupImage]))
    expect(snapshot.package).toBe(familyPackage)
    expect(snapshot.subject).toEqual({
      firstName: 'Ada',
      lastName: 'Lovelace',
      imageThumbnailUrl: '/photos/g/501/thumbnail-a',
    })
    expect(snapshot.images).toEqual([
      { imageId: 501, width: 2400, height: 3000, thumbnailUrl: '/photos/g/501/thumbnail-a', hasAlpha: false },
      { imageId: 601, width: 3000, height: 2000, thumbnailUrl: '/photos/g/601/thumbnail-a', hasAlpha: false },
    ])
  })

  test('the preview never holds what a mask hides', () => {
    expect(JSON.stringify(previewLine(started, ada, toSnapshotImages([portrait])).cartPackageItems)).not.toContain(
      'ada.lovelace',
    )
  })
})

describe('a person of whom only class photos are online', () => {
  const ofClass = packageOf({ items: [packageItem({ imageNodes: [imageNode({ name: 'Group 1' })] })] })
  const onlyClass = () => customiseContext({ images: [groupImage], imageId: groupImage.id })

  test('has empty places for their own photos, and class photos where these belong', () => {
    expect(newCustomisedPackage(packageOf(), onlyClass()).images).toEqual([])
    expect(newCustomisedPackage(ofClass, onlyClass()).images).toMatchObject([
      { groupImageId: groupImage.id, subjectImageId: null },
    ])
    expect(imagesForNode(imageNode(), [groupImage])).toEqual([])
  })
})

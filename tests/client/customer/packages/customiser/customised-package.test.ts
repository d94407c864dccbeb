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
import { imageNode, lineOf, packageItem, packageOf, textChoice } from '#tests/domain/cart/cart-fixtures.ts'
import {
  ada,
  customiseContext,
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../package-examples.ts'

const newPackage = newCustomisedPackage(familyPackage, customiseContext())
const field = (part: CustomisedPackage, nodeId: number) => {
  const text = part.texts.find((candidate) => candidate.nodeId === nodeId)
  if (!text) throw new Error(`no text ${nodeId}`)
  return text
}
const typeText = (part: CustomisedPackage, nodeId: number, shown: string): CustomisedPackage => {
  const [next] = customiseReducer([part], { do: 'type', part: 0, nodeId, shown })
  if (!next) throw new Error('the part is gone')
  return next
}
const sentText = (part: CustomisedPackage, nodeId: number) =>
  toLineContent(part).textNodes.find((text) => text.packageItemTextNodeId === nodeId)

describe('a new package', () => {
  test('has the subject’s first image centred in each node, and the group’s image in group nodes', () => {
    expect(
      newPackage.images.map((choice) => [choice.packageItemImageNodeId, choice.subjectImageId, choice.groupImageId]),
    ).toEqual([
      [411, 501, null],
      [421, 501, null],
      [431, 501, null],
      [441, null, 601],
    ])
    expect(newPackage.images[0]?.cropDimensions).toEqual(centredCrop(portrait, 8 / 10, 0))
    expect(newPackage.images[1]?.cropDimensions).toEqual(centredCrop(portrait, 5 / 7, 0))
  })

  test('has no crop if cropping is not allowed', () => {
    expect(newPackage.images[3]?.cropDimensions).toBeNull()
  })

  test('uses the pose chosen before wherever it fits', () => {
    const images = newCustomisedPackage(familyPackage, customiseContext({ imageId: landscape.id })).images
    expect(images.map((choice) => choice.subjectImageId ?? choice.groupImageId)).toEqual([502, 502, 502, 601])
  })

  test('never starts with a replacement, which would replace nothing', () => {
    const images = [replacementImage, portrait, groupImage]
    const choices = newCustomisedPackage(
      familyPackage,
      customiseContext({ images, imageId: replacementImage.id }),
    ).images
    expect(choices.map((choice) => choice.subjectImageId ?? choice.groupImageId)).toEqual([501, 501, 501, 601])
  })

  test('has no images before picture day', () => {
    expect(newCustomisedPackage(familyPackage, customiseContext({ orderMethod: 'prepay' })).images).toEqual([])
  })

  test('keeps the 5x7 aspect of a sports organization’s image', () => {
    const teamPortrait = { ...portrait, width: 2500, height: 3500 }
    const [first] = newCustomisedPackage(
      familyPackage,
      customiseContext({ images: [teamPortrait], organizationType: 'sport' }),
    ).images
    expect(first?.cropDimensions).toEqual(centredCrop(teamPortrait, 5 / 7, 0))
  })

  test('offers other images to a group node if there is no group', () => {
    expect(imagesForNode({ name: 'Group 1' }, [portrait])).toEqual([portrait])
    expect(imagesForNode({ name: 'Group 1' }, [portrait, groupImage])).toEqual([groupImage])
  })
})

describe('texts', () => {
  test('show an email address masked and send its actual value', () => {
    expect(field(newPackage, 413).shown).toBe('ad***@engine.test')
    expect(sentText(newPackage, 413)).toEqual({
      packageItemTextNodeId: 413,
      value: 'ada.lovelace@engine.test',
      autoFilled: true,
    })
  })

  test('replace the masked value by a new one', () => {
    const part = typeText(newPackage, 413, 'countess@engine.test')
    expect(sentText(part, 413)).toMatchObject({ value: 'countess@engine.test', autoFilled: false })
    expect(isMasked(field(part, 413))).toBe(false)
  })

  test('with an edited mask are neither the old nor a new value', () => {
    expect(isBrokenMask(field(typeText(newPackage, 413, 'ad***@engine.tes'), 413))).toBe(true)
    expect(isBrokenMask(field(newPackage, 413))).toBe(false)
  })

  test('filled in automatically count as such until they are changed', () => {
    expect(sentText(newPackage, 412)).toMatchObject({ value: 'Ada Lovelace', autoFilled: true })
    expect(sentText(typeText(newPackage, 412, 'Ada'), 412)).toMatchObject({ value: 'Ada', autoFilled: false })
  })

  test('of a reopened line stay masked and keep their value', () => {
    const line = lineOf(familyPackage, { textNodes: [textChoice(413, 'countess@engine.test')] })
    const part = customisedPackageFromLine(line)
    expect(field(part, 413).shown).toBe('co***@engine.test')
    expect(sentText(part, 413)?.value).toBe('countess@engine.test')
  })
})

describe('a line with empty texts that a newer package version added', () => {
  const line = lineOf(familyPackage, { textNodes: [textChoice(414, 'Onward')] })

  test('is filled in like a new package when opened, masked too, and keeps existing texts', () => {
    const part = customisedPackageFromLine(line, ada)
    expect(part.texts.slice(0, 3).map((text) => text.shown)).toEqual(['Ada Lovelace', 'ad***@engine.test', 'Onward'])
    expect(sentText(part, 413)).toMatchObject({ value: 'ada.lovelace@engine.test', autoFilled: true })
    expect(sentText(part, 414)).toMatchObject({ value: 'Onward', autoFilled: false })
  })

  test('stays as it is if the subject is unknown', () => {
    expect(field(customisedPackageFromLine(line), 412).shown).toBe('')
  })
})

describe('the snapshot of a line', () => {
  test('contains the package version, the subject and only the images used', () => {
    const snapshot = toLineSnapshot(newPackage, ada, toSnapshotImages([portrait, landscape, groupImage]))
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

  test('has a preview that never contains masked values', () => {
    expect(JSON.stringify(previewLine(newPackage, ada, toSnapshotImages([portrait])).cartPackageItems)).not.toContain(
      'ada.lovelace',
    )
  })
})

describe('a subject with class photos only', () => {
  const classPackage = packageOf({ items: [packageItem({ imageNodes: [imageNode({ name: 'Group 1' })] })] })
  const classImagesOnly = () => customiseContext({ images: [groupImage], imageId: groupImage.id })

  test('has empty nodes for their own images, and class photos in group nodes', () => {
    expect(newCustomisedPackage(packageOf(), classImagesOnly()).images).toEqual([])
    expect(newCustomisedPackage(classPackage, classImagesOnly()).images).toMatchObject([
      { groupImageId: groupImage.id, subjectImageId: null },
    ])
    expect(imagesForNode(imageNode(), [groupImage])).toEqual([])
  })
})

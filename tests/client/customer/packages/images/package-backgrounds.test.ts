// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { applyDraft, toCustomiseDraft } from '#client/customer/packages/customiser/customise-draft.ts'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import { customiseSteps, groupSteps } from '#client/customer/packages/customiser/customise-steps.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
  previewLine,
  toLineContent,
} from '#client/customer/packages/customiser/customised-package.ts'
import { toSnapshotImages } from '#client/customer/packages/images/node-images.ts'
import {
  type Background,
  packagesSharingBackground,
  showsBackgroundChoice,
  toBackgroundSnapshotImages,
} from '#client/customer/packages/images/package-backgrounds.ts'
import { printsOnWhite } from '#domain/cart/line-background.ts'
import { printContentOf, printedItems } from '#ui/print/print-content.ts'
import { ada, customiseContext, familyPackage, groupImage, image, landscape } from '../package-examples.ts'

const field: Background = {
  id: 9,
  imageId: 901,
  name: 'Field',
  width: 3000,
  height: 2400,
  thumbnailUrl: '/photos/g/901/thumb-a',
  previewUrl: '/photos/g/901/preview-a',
}
const cutOut = image(501, { hasAlpha: true })
const images = [cutOut, landscape, groupImage]
const snapshotImages = [...toSnapshotImages(images), ...toBackgroundSnapshotImages([field])]
const startPart = (): CustomisedPackage => newCustomisedPackage(familyPackage, customiseContext({ images }))
const [onBackground] = customiseReducer([startPart()], { do: 'set-background', part: 0, greenScreenId: 9 }) as [
  CustomisedPackage,
] // one package in, one out

describe('a background', () => {
  test('a background is added to the cart with its package, behind every cut-out and nothing else', () => {
    expect(toLineContent(onBackground).greenScreenBackgroundId).toBe(9)
    const line = previewLine(onBackground, ada, snapshotImages)
    const backgrounds = printedItems(line).map(({ content }) =>
      [...content.images.values()].map((image) => image.background),
    )
    const fieldImage = { url: field.thumbnailUrl }
    expect(backgrounds).toEqual([[fieldImage], [fieldImage], [fieldImage], [null]])
    expect(printsOnWhite(line)).toBe(false)
  })

  test('a background is drawn from its larger image if there is one, with the smaller one as placeholder', () => {
    const [first] = familyPackage.items
    if (!first) throw new Error('the package is empty')
    const urls = new Map([[field.imageId, field.previewUrl]])
    const content = printContentOf(previewLine(onBackground, ada, snapshotImages), first, urls)
    expect(content.images.get(411)?.background).toEqual({ url: field.previewUrl, placeholderUrl: field.thumbnailUrl })
  })

  test('a background is in the line’s snapshot only while it is chosen', () => {
    const snapshotImageIds = (part: CustomisedPackage) =>
      previewLine(part, ada, snapshotImages).snapshot.images.map((image) => image.imageId)
    expect(snapshotImageIds(onBackground)).toEqual([501, 601, 901])
    const [without] = customiseReducer([onBackground], { do: 'set-background', part: 0, greenScreenId: null }) as [
      CustomisedPackage,
    ] // one package in, one out
    expect(snapshotImageIds(without)).toEqual([501, 601])
  })

  test('a draft contains the chosen background or none, and an older draft without that field leaves the choice unchanged', () => {
    const chosenIn = (draft: unknown) =>
      applyDraft([onBackground], draft, { images })[0]?.passthrough.greenScreenBackgroundId
    const draft = toCustomiseDraft([onBackground])
    expect(applyDraft([startPart()], structuredClone(draft), { images })).toEqual([onBackground])
    expect(chosenIn(toCustomiseDraft([startPart()]))).toBeNull()
    const olderDraft = { ...draft, parts: draft.parts.map(({ greenScreenId: _, ...part }) => part) }
    expect(chosenIn(olderDraft)).toBe(9)
  })
})

describe('a cut-out without a background', () => {
  test('a cut-out without a background is on white', () =>
    expect(printsOnWhite(previewLine(startPart(), ada, snapshotImages))).toBe(true))
  test('a package without cut-outs is not on white', () => {
    const opaque = newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))
    expect(printsOnWhite(previewLine(opaque, ada, snapshotImages))).toBe(false)
  })
})

describe('the background choice', () => {
  const findChoices = (parts: CustomisedPackage[]) => {
    const steps = customiseSteps(parts, { orderMethod: 'gallery', importedData: true, subject: ada })
    const groups = groupSteps(steps, { parts, separateSignatures: new Set() })
    const hadBackground = (part: number) => parts[part]?.passthrough.greenScreenBackgroundId !== null
    return {
      groups,
      isShown: groups.map((group) => showsBackgroundChoice(group, { groups, parts, images, hadBackground })),
    }
  }

  test('the background choice is shown once per package, at its first cut-out', () => {
    const { isShown } = findChoices([startPart()])
    expect(isShown.filter(Boolean)).toHaveLength(1)
    expect(isShown[0]).toBe(true)
    const partWithSwappedImages = {
      ...startPart(),
      images: startPart().images.map((choice) =>
        choice.packageItemImageNodeId === 411 ? { ...choice, subjectImageId: 502 } : choice,
      ),
    }
    expect(findChoices([partWithSwappedImages]).isShown.slice(0, 2)).toEqual([false, true])
  })

  test('the background choice is not shown without cut-outs', () => {
    const parts = [newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))]
    expect(findChoices(parts).isShown).not.toContain(true)
  })

  test('the background choice is shown at the first item if a package has a background but no cut-out', () => {
    const without = newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))
    const [leftOver] = customiseReducer([without], { do: 'set-background', part: 0, greenScreenId: 9 }) as [
      CustomisedPackage,
    ] // one package in, one out
    expect(findChoices([leftOver]).isShown.indexOf(true)).toBe(0)
  })

  test('the background choice is shown once for packages that share it because their identical prints are merged', () => {
    const otherPackage = { ...familyPackage, id: 50, items: familyPackage.items.slice(1) }
    const { groups, isShown } = findChoices([
      startPart(),
      newCustomisedPackage(otherPackage, customiseContext({ images })),
    ])
    expect(isShown.filter(Boolean)).toHaveLength(1)
    expect(packagesSharingBackground(1, groups)).toEqual(expect.arrayContaining([0, 1]))
  })

  test('the background choice is shown per package if two identical packages start with different backgrounds', () => {
    const otherPackage = { ...familyPackage, id: 50 }
    const { groups, isShown } = findChoices([
      onBackground,
      newCustomisedPackage(otherPackage, customiseContext({ images })),
    ])
    expect(isShown.filter(Boolean)).toHaveLength(2)
    expect(packagesSharingBackground(1, groups)).toEqual([1])
  })
})

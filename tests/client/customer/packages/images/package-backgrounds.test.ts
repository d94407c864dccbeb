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
const facts = [...toSnapshotImages(images), ...toBackgroundSnapshotImages([field])]
const start = (): CustomisedPackage => newCustomisedPackage(familyPackage, customiseContext({ images }))
const [standing] = customiseReducer([start()], { do: 'stand', part: 0, greenScreenId: 9 }) as [CustomisedPackage] // one in, one out

describe('a background', () => {
  test('is added to the cart with its package, behind every cut-out and nothing else', () => {
    expect(toLineContent(standing).greenScreenBackgroundId).toBe(9)
    const line = previewLine(standing, ada, facts)
    const behind = printedItems(line).map(({ content }) => [...content.images.values()].map((one) => one.background))
    const drawn = { url: field.thumbnailUrl }
    expect(behind).toEqual([[drawn], [drawn], [drawn], [null]])
    expect(printsOnWhite(line)).toBe(false)
  })

  test('is drawn from its larger image if there is one, with the smaller one as placeholder', () => {
    const [first] = familyPackage.items
    if (!first) throw new Error('the package is empty')
    const urls = new Map([[field.imageId, field.previewUrl]])
    const content = printContentOf(previewLine(standing, ada, facts), first, urls)
    expect(content.images.get(411)?.background).toEqual({ url: field.previewUrl, standIn: field.thumbnailUrl })
  })

  test('is in the line’s snapshot only while it is chosen', () => {
    const kept = (part: CustomisedPackage) => previewLine(part, ada, facts).snapshot.images.map((one) => one.imageId)
    expect(kept(standing)).toEqual([501, 601, 901])
    const [without] = customiseReducer([standing], { do: 'stand', part: 0, greenScreenId: null }) as [CustomisedPackage] // one in
    expect(kept(without)).toEqual([501, 601])
  })

  test('is part of a draft, even if none is chosen, and a draft from before backgrounds keeps the choice', () => {
    const chosenIn = (draft: unknown) =>
      applyDraft([standing], draft, { images: images })[0]?.passthrough.greenScreenBackgroundId
    const draft = toCustomiseDraft([standing])
    expect(applyDraft([start()], structuredClone(draft), { images: images })).toEqual([standing])
    expect(chosenIn(toCustomiseDraft([start()]))).toBeNull()
    const older = { ...draft, parts: draft.parts.map(({ greenScreenId: _, ...part }) => part) }
    expect(chosenIn(older)).toBe(9)
  })
})

describe('a cut-out without a background', () => {
  test('is on white', () => expect(printsOnWhite(previewLine(start(), ada, facts))).toBe(true))
  test('is mentioned for cut-outs only', () => {
    const opaque = newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))
    expect(printsOnWhite(previewLine(opaque, ada, facts))).toBe(false)
  })
})

describe('the background choice is shown', () => {
  const placesIn = (parts: CustomisedPackage[]) => {
    const steps = customiseSteps(parts, { orderMethod: 'gallery', importedData: true, subject: ada })
    const groups = groupSteps(steps, { parts, apart: new Set() })
    const hadBackground = (part: number) => parts[part]?.passthrough.greenScreenBackgroundId !== null
    return {
      groups,
      places: groups.map((group) => showsBackgroundChoice(group, { groups, parts, images, hadBackground })),
    }
  }

  test('once per package, at its first cut-out', () => {
    const { places } = placesIn([start()])
    expect(places.filter(Boolean)).toHaveLength(1)
    expect(places[0]).toBe(true)
    const swapped = {
      ...start(),
      images: start().images.map((one) => (one.packageItemImageNodeId === 411 ? { ...one, subjectImageId: 502 } : one)),
    }
    expect(placesIn([swapped]).places.slice(0, 2)).toEqual([false, true])
  })

  test('nowhere without cut-outs', () => {
    const parts = [newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))]
    expect(placesIn(parts).places).not.toContain(true)
  })

  test('at the first item of a package that has a background without a cut-out', () => {
    const without = newCustomisedPackage(familyPackage, customiseContext({ images: [landscape, groupImage] }))
    const [left] = customiseReducer([without], { do: 'stand', part: 0, greenScreenId: 9 }) as [CustomisedPackage] // one in, one out
    expect(placesIn([left]).places.indexOf(true)).toBe(0)
  })

  test('once for packages whose identical prints are merged, which share it', () => {
    const other = { ...familyPackage, id: 50, items: familyPackage.items.slice(1) }
    const { groups, places } = placesIn([start(), newCustomisedPackage(other, customiseContext({ images }))])
    expect(places.filter(Boolean)).toHaveLength(1)
    expect(packagesSharingBackground(1, groups)).toEqual(expect.arrayContaining([0, 1]))
  })

  test('per package if two start with different ones, even if identical', () => {
    const other = { ...familyPackage, id: 50 }
    const { groups, places } = placesIn([standing, newCustomisedPackage(other, customiseContext({ images }))])
    expect(places.filter(Boolean)).toHaveLength(2)
    expect(packagesSharingBackground(1, groups)).toEqual([1])
  })
})

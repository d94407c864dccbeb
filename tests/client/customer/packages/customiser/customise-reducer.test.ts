import { describe, expect, test } from 'vitest'
import { applyDraft, toCustomiseDraft } from '#client/customer/packages/customiser/customise-draft.ts'
import { type CustomiseAction, customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
} from '#client/customer/packages/customiser/customised-package.ts'
import { chosenImageId } from '#client/customer/packages/images/node-images.ts'
import { packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import {
  customiseContext,
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../package-examples.ts'

const images = [portrait, landscape, groupImage, replacementImage]
const startParts = (): CustomisedPackage[] => [newCustomisedPackage(familyPackage, customiseContext())]
const applyActions = (...actions: CustomiseAction[]): CustomisedPackage[] =>
  actions.reduce(customiseReducer, startParts())
const shownText = (parts: CustomisedPackage[], nodeId: number) =>
  parts[0]?.texts.find((text) => text.nodeId === nodeId)?.shown
const choice = (parts: CustomisedPackage[], nodeId: number) =>
  parts[0]?.images.find((node) => node.packageItemImageNodeId === nodeId)
const chooseAction = (nodeId: number, image = landscape, everywhere = false): CustomiseAction => ({
  do: 'choose',
  part: 0,
  nodeId,
  image,
  images,
  organizationType: 'school',
  everywhere,
})
const cropAction: CustomiseAction = {
  do: 'crop',
  part: 0,
  nodeId: 411,
  cropDimensions: { width: 40, height: 40, cropX: 30, cropY: 30, xMid: 50, yMid: 50 },
  frontendCropDimensions: { x: 0.1, y: 0, zoom: 2 },
  rotation: 12,
}

describe('typing', () => {
  test('fills texts with the same name and value', () => {
    const parts = applyActions({ do: 'type', part: 0, nodeId: 414, shown: 'Go' })
    expect([414, 422, 432].map((id) => shownText(parts, id))).toEqual(['Go', 'Go', 'Go'])
    expect(shownText(parts, 412)).toBe('Ada Lovelace')
  })

  test('leaves texts that were edited separately', () => {
    const parts = applyActions(
      { do: 'type', part: 0, nodeId: 414, shown: 'Go' },
      { do: 'type', part: 0, nodeId: 422, shown: 'Stay' },
      { do: 'type', part: 0, nodeId: 414, shown: 'Go on' },
    )
    expect([414, 422, 432].map((id) => shownText(parts, id))).toEqual(['Go on', 'Stay', 'Stay'])
  })
})

describe('a text only the studio can change', () => {
  const textNodes = [textNode({ id: 21, name: 'Name' }), textNode({ id: 22, name: 'Name', editable: false })]
  const twoTexts = packageOf({ items: [packageItem({ imageNodes: [], textNodes })] })
  const initial = newCustomisedPackage(twoTexts, customiseContext())

  test('does not follow input in another text with its name', () => {
    const parts = customiseReducer([initial], { do: 'type', part: 0, nodeId: 21, shown: 'Countess' })
    expect([21, 22].map((id) => shownText(parts, id))).toEqual(['Countess', 'Ada'])
  })

  test('has its current value when a draft is restored', () => {
    const texts = initial.texts.map((field) => ({ ...field, shown: 'Countess' }))
    const parts = applyDraft([initial], toCustomiseDraft([{ ...initial, texts }]), { images: [] })
    expect([21, 22].map((id) => shownText(parts, id))).toEqual(['Countess', 'Ada'])
  })
})

describe('choosing images', () => {
  test('changes one node, with a new centred crop', () => {
    const parts = applyActions(cropAction, chooseAction(411))
    expect(choice(parts, 411)).toMatchObject({ subjectImageId: 502, rotation: 0, frontendCropDimensions: null })
    expect(chosenImageId(choice(parts, 421))).toBe(501)
  })

  test('adds a replacement to the current image, with its own crop', () => {
    const replaced = choice(applyActions(chooseAction(411), cropAction, chooseAction(411, replacementImage)), 411)
    expect(replaced).toMatchObject({ subjectImageId: 502, groupImageId: null, replacementImageId: 701, rotation: 0 })
    expect(chosenImageId(replaced)).toBe(701)
    expect(choice(applyActions(chooseAction(411, replacementImage), chooseAction(411)), 411)).toMatchObject({
      subjectImageId: 502,
      replacementImageId: null,
    })
  })

  test('adds the first fitting image to an empty node that gets a replacement, so that nothing is missing', () => {
    const emptyParts = startParts().map((part) => ({ ...part, images: [] }))
    const replaced = choice(customiseReducer(emptyParts, chooseAction(411, replacementImage)), 411)
    expect(replaced).toMatchObject({ subjectImageId: 501, replacementImageId: 701 })
  })

  test('applies a replacement to every print except group nodes', () => {
    const parts = applyActions(chooseAction(411, replacementImage, true))
    expect([411, 421, 431, 441].map((id) => chosenImageId(choice(parts, id)))).toEqual([701, 701, 701, 601])
  })

  test('keeps the crop if the same image is chosen again', () => {
    expect(choice(applyActions(cropAction, chooseAction(411, portrait)), 411)).toEqual(
      choice(applyActions(cropAction), 411),
    )
  })

  test('for every print changes all nodes of that kind and no others', () => {
    const parts = applyActions(chooseAction(411, landscape, true))
    expect([411, 421, 431, 441].map((id) => chosenImageId(choice(parts, id)))).toEqual([502, 502, 502, 601])
  })
})

describe('a draft', () => {
  test('restores crops, images and texts exactly', () => {
    const parts = applyActions(cropAction, chooseAction(421), { do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const draft: unknown = structuredClone(toCustomiseDraft(parts))
    const [read] = applyDraft(startParts(), draft, { images })
    expect(new Set(read?.images)).toEqual(new Set(parts[0]?.images))
    expect(read?.texts).toEqual(parts[0]?.texts)
  })

  test('made for one pose restores the subject’s images only under that pose, and texts under every pose', () => {
    const parts = applyActions(chooseAction(411), { do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const draft: unknown = structuredClone(toCustomiseDraft(parts, 501))
    const [sameImage] = applyDraft(startParts(), draft, { images, pose: 501 })
    expect(new Set(sameImage?.images)).toEqual(new Set(parts[0]?.images))
    const initial = startParts()
    const [otherImage] = applyDraft(initial, draft, { images, pose: 502 })
    const ownImages = (part: (typeof initial)[number] | undefined) =>
      part?.images.filter((choice) => choice.subjectImageId !== null)
    expect(ownImages(otherImage)).toEqual(ownImages(initial[0]))
    expect(ownImages(parts[0])).not.toEqual(ownImages(initial[0]))
    expect(otherImage?.texts).toEqual(parts[0]?.texts)
  })

  test('keeps the input of a package that was deselected meanwhile', () => {
    const parts = applyActions({ do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const laterDraft: unknown = structuredClone(toCustomiseDraft([], null, toCustomiseDraft(parts, null)))
    expect(applyDraft(startParts(), laterDraft, { images, pose: null })[0]?.texts).toEqual(parts[0]?.texts)
    const newestDraft = toCustomiseDraft(startParts(), null, laterDraft)
    expect(newestDraft.parts).toEqual(toCustomiseDraft(startParts()).parts)
  })

  test('never contains masked values', () => {
    expect(JSON.stringify(toCustomiseDraft(startParts()))).not.toContain('ada.lovelace')
  })

  test('of another version, of withdrawn images, or of an older build changes nothing', () => {
    const parts = applyActions(chooseAction(411))
    expect(applyDraft(startParts(), { ...toCustomiseDraft(parts), v: 0 }, { images })).toEqual(startParts())
    expect(applyDraft(startParts(), 'old', { images })).toEqual(startParts())
    expect(choice(applyDraft(startParts(), toCustomiseDraft(parts), { images: [portrait, groupImage] }), 411)).toEqual(
      choice(startParts(), 411),
    )
    const newerParts = [newCustomisedPackage({ ...familyPackage, version: 2 }, customiseContext())]
    expect(applyDraft(newerParts, toCustomiseDraft(parts), { images })).toEqual(newerParts)
  })
})

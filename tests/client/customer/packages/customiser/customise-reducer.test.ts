import { describe, expect, test } from 'vitest'
import { applyDraft, toCustomiseDraft } from '#client/customer/packages/customiser/customise-draft.ts'
import { type CustomiseAction, customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
} from '#client/customer/packages/customiser/customised-package.ts'
import { chosenImageId } from '#client/customer/packages/images/node-images.ts'
import { packageItem, packageOf, textNode } from '../../../../domain/cart/cart-fixtures.ts'
import {
  customiseContext,
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../package-examples.ts'

const images = [portrait, landscape, groupImage, replacementImage]
const start = (): CustomisedPackage[] => [newCustomisedPackage(familyPackage, customiseContext())]
const made = (...doings: CustomiseAction[]): CustomisedPackage[] => doings.reduce(customiseReducer, start())
const shown = (parts: CustomisedPackage[], nodeId: number) =>
  parts[0]?.texts.find((one) => one.nodeId === nodeId)?.shown
const choice = (parts: CustomisedPackage[], nodeId: number) =>
  parts[0]?.images.find((one) => one.packageItemImageNodeId === nodeId)
const pick = (nodeId: number, image = landscape, everywhere = false): CustomiseAction => ({
  do: 'choose',
  part: 0,
  nodeId,
  image,
  images,
  organizationType: 'school',
  everywhere,
})
const crop: CustomiseAction = {
  do: 'crop',
  part: 0,
  nodeId: 411,
  cropDimensions: { width: 40, height: 40, cropX: 30, cropY: 30, xMid: 50, yMid: 50 },
  frontendCropDimensions: { x: 0.1, y: 0, zoom: 2 },
  rotation: 12,
}

describe('typing', () => {
  test('fills texts with the same name and value', () => {
    const parts = made({ do: 'type', part: 0, nodeId: 414, shown: 'Go' })
    expect([414, 422, 432].map((id) => shown(parts, id))).toEqual(['Go', 'Go', 'Go'])
    expect(shown(parts, 412)).toBe('Ada Lovelace')
  })

  test('leaves texts that were edited separately', () => {
    const parts = made(
      { do: 'type', part: 0, nodeId: 414, shown: 'Go' },
      { do: 'type', part: 0, nodeId: 422, shown: 'Stay' },
      { do: 'type', part: 0, nodeId: 414, shown: 'Go on' },
    )
    expect([414, 422, 432].map((id) => shown(parts, id))).toEqual(['Go on', 'Stay', 'Stay'])
  })
})

describe('a text only the studio can change', () => {
  const textNodes = [textNode({ id: 21, name: 'Name' }), textNode({ id: 22, name: 'Name', editable: false })]
  const of = packageOf({ items: [packageItem({ imageNodes: [], textNodes })] })
  const initial = newCustomisedPackage(of, customiseContext())

  test('does not follow input in another text with its name', () => {
    const parts = customiseReducer([initial], { do: 'type', part: 0, nodeId: 21, shown: 'Countess' })
    expect([21, 22].map((id) => shown(parts, id))).toEqual(['Countess', 'Ada'])
  })

  test('has its current value when a draft is restored', () => {
    const texts = initial.texts.map((field) => ({ ...field, shown: 'Countess' }))
    const parts = applyDraft([initial], toCustomiseDraft([{ ...initial, texts }]), { images: [] })
    expect([21, 22].map((id) => shown(parts, id))).toEqual(['Countess', 'Ada'])
  })
})

describe('choosing images', () => {
  test('changes one node, with a new centred crop', () => {
    const parts = made(crop, pick(411))
    expect(choice(parts, 411)).toMatchObject({ subjectImageId: 502, rotation: 0, frontendCropDimensions: null })
    expect(chosenImageId(choice(parts, 421))).toBe(501)
  })

  test('puts a replacement in front of the current image, with its own crop', () => {
    const replaced = choice(made(pick(411), crop, pick(411, replacementImage)), 411)
    expect(replaced).toMatchObject({ subjectImageId: 502, groupImageId: null, replacementImageId: 701, rotation: 0 })
    expect(chosenImageId(replaced)).toBe(701)
    expect(choice(made(pick(411, replacementImage), pick(411)), 411)).toMatchObject({
      subjectImageId: 502,
      replacementImageId: null,
    })
  })

  test('puts a replacement in an empty node in front of the first image that fits, so that nothing is missing', () => {
    const emptied = start().map((part) => ({ ...part, images: [] }))
    const replaced = choice(customiseReducer(emptied, pick(411, replacementImage)), 411)
    expect(replaced).toMatchObject({ subjectImageId: 501, replacementImageId: 701 })
  })

  test('applies a replacement to every print except group nodes', () => {
    const parts = made(pick(411, replacementImage, true))
    expect([411, 421, 431, 441].map((id) => chosenImageId(choice(parts, id)))).toEqual([701, 701, 701, 601])
  })

  test('keeps the crop if the same image is chosen again', () => {
    expect(choice(made(crop, pick(411, portrait)), 411)).toEqual(choice(made(crop), 411))
  })

  test('for every print changes all nodes of that kind and no others', () => {
    const parts = made(pick(411, landscape, true))
    expect([411, 421, 431, 441].map((id) => chosenImageId(choice(parts, id)))).toEqual([502, 502, 502, 601])
  })
})

describe('a draft', () => {
  test('restores crops, images and texts exactly', () => {
    const parts = made(crop, pick(421), { do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const draft: unknown = structuredClone(toCustomiseDraft(parts))
    const [read] = applyDraft(start(), draft, { images: images })
    expect(new Set(read?.images)).toEqual(new Set(parts[0]?.images))
    expect(read?.texts).toEqual(parts[0]?.texts)
  })

  test('made for one pose keeps another pose’s images, except those of groups', () => {
    const parts = made(pick(411), { do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const draft: unknown = structuredClone(toCustomiseDraft(parts, 501))
    const [same] = applyDraft(start(), draft, { images, pose: 501 })
    expect(new Set(same?.images)).toEqual(new Set(parts[0]?.images))
    const initial = start()
    const [other] = applyDraft(initial, draft, { images, pose: 502 })
    const own = (part: (typeof initial)[number] | undefined) =>
      part?.images.filter((one) => one.subjectImageId !== null)
    expect(own(other)).toEqual(own(initial[0]))
    expect(own(parts[0])).not.toEqual(own(initial[0]))
    expect(other?.texts).toEqual(parts[0]?.texts)
  })

  test('keeps the input of a package that was deselected meanwhile', () => {
    const parts = made({ do: 'type', part: 0, nodeId: 412, shown: 'A.' })
    const without: unknown = structuredClone(toCustomiseDraft([], null, toCustomiseDraft(parts, null)))
    expect(applyDraft(start(), without, { images, pose: null })[0]?.texts).toEqual(parts[0]?.texts)
    const again = toCustomiseDraft(start(), null, without)
    expect(again.parts).toEqual(toCustomiseDraft(start()).parts)
  })

  test('never contains masked values', () => {
    expect(JSON.stringify(toCustomiseDraft(start()))).not.toContain('ada.lovelace')
  })

  test('of another version, of withdrawn images, or of an older build changes nothing', () => {
    const parts = made(pick(411))
    expect(applyDraft(start(), { ...toCustomiseDraft(parts), v: 0 }, { images: images })).toEqual(start())
    expect(applyDraft(start(), 'old', { images: images })).toEqual(start())
    expect(choice(applyDraft(start(), toCustomiseDraft(parts), { images: [portrait, groupImage] }), 411)).toEqual(
      choice(start(), 411),
    )
    const newer = [newCustomisedPackage({ ...familyPackage, version: 2 }, customiseContext())]
    expect(applyDraft(newer, toCustomiseDraft(parts), { images: images })).toEqual(newer)
  })
})

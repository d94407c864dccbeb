import { describe, expect, test } from 'vitest'
import type { CartPackage, ImageChoice, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf, printsOnWhite } from '#domain/cart/line-background.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { imageChoice, imageNode, lineOf, packageItem, packageOf } from './cart-fixtures.ts'

const picture = (imageId: number, with_: Partial<SnapshotImage> = {}): SnapshotImage => ({
  imageId,
  width: 2400,
  height: 3000,
  thumbnailUrl: `/photos/1/${imageId}/thumb-a`,
  ...with_,
})
const field = picture(901, { greenScreenId: 9 })
const beach = picture(902, { greenScreenId: 10 })
const cutOut = picture(501, { hasAlpha: true })
const opaque = picture(502, { hasAlpha: false })
const older = picture(503)
const replaced = picture(504, { hasAlpha: true })
const team = picture(601, { hasAlpha: true })

const two = packageOf({ items: [packageItem({ imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2' })] })] })
const line = (
  with_: Partial<LineContent>,
  images: SnapshotImage[] = [field, beach, cutOut, opaque, older, replaced, team],
) => {
  const made = lineOf(two, with_)
  return { ...made, snapshot: { ...made.snapshot, images } }
}

describe('the background of a line', () => {
  test.each<[string, CartPackage, SnapshotImage | undefined]>([
    ['is the one that was chosen', line({ greenScreenBackgroundId: 10 }), beach],
    ['is none where none was', line({}), undefined],
    ['is none where the line does not know its picture', line({ greenScreenBackgroundId: 11 }), undefined],
  ])('%s', (_name, of, background) => expect(backgroundOf(of)).toBe(background))
})

describe('a line prints on white', () => {
  const of = (...nodes: ImageChoice[]): Partial<LineContent> => ({ imageNodes: nodes })
  const instead = (imageId: number) => ({ ...imageChoice(11, 502), replacementImageId: imageId })
  const ofGroup = { ...imageChoice(11, null), groupImageId: 601 }

  test.each<[string, CartPackage, boolean]>([
    ['with a cut-out and no background', line(of(imageChoice(11, 501))), true],
    ['with one cut-out among others', line(of(imageChoice(11, 502), imageChoice(12, 501))), true],
    ['not behind a background', line({ ...of(imageChoice(11, 501)), greenScreenBackgroundId: 9 }), false],
    ['not without a cut-out', line(of(imageChoice(11, 502), imageChoice(12, 502))), false],
    ['not where nobody said that it is one', line(of(imageChoice(11, 503), imageChoice(12, 503))), false],
    ['not where no picture is chosen', line(of(imageChoice(11, null), imageChoice(12, null))), false],
    ['with a cut-out of a group', line(of(ofGroup)), true],
    ['with a cut-out put in another’s place', line(of(instead(504))), true],
    [
      'not with a cut-out that another took the place of',
      line(of({ ...imageChoice(11, 501), replacementImageId: 502 })),
      false,
    ],
  ])('%s', (_name, one, onWhite) => expect(printsOnWhite(one)).toBe(onWhite))
})

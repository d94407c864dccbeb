import { describe, expect, test } from 'vitest'
import type { CartPackage, ImageChoice, SnapshotImage } from '#domain/cart/cart.ts'
import { backgroundOf, printsOnWhite } from '#domain/cart/line-background.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { imageChoice, imageNode, lineOf, packageItem, packageOf } from './cart-fixtures.ts'

const image = (imageId: number, overrides: Partial<SnapshotImage> = {}): SnapshotImage => ({
  imageId,
  width: 2400,
  height: 3000,
  thumbnailUrl: `/photos/1/${imageId}/thumb-a`,
  ...overrides,
})
const field = image(901, { greenScreenId: 9 })
const beach = image(902, { greenScreenId: 10 })
const cutOut = image(501, { hasAlpha: true })
const opaque = image(502, { hasAlpha: false })
const imageOfUnknownAlpha = image(503)
const replacement = image(504, { hasAlpha: true })
const team = image(601, { hasAlpha: true })

const packageWithTwoImages = packageOf({
  items: [packageItem({ imageNodes: [imageNode(), imageNode({ id: 12, name: 'Image2' })] })],
})
const line = (
  content: Partial<LineContent>,
  images: SnapshotImage[] = [field, beach, cutOut, opaque, imageOfUnknownAlpha, replacement, team],
) => {
  const builtLine = lineOf(packageWithTwoImages, content)
  return { ...builtLine, snapshot: { ...builtLine.snapshot, images } }
}

describe('the background of a line', () => {
  test.each<[string, CartPackage, SnapshotImage | undefined]>([
    ['is the chosen one', line({ greenScreenBackgroundId: 10 }), beach],
    ['is undefined if none was chosen', line({}), undefined],
    ['is undefined if the snapshot does not contain its image', line({ greenScreenBackgroundId: 11 }), undefined],
  ])('the background of a line %s', (_name, cartLine, background) => expect(backgroundOf(cartLine)).toBe(background))
})

describe('a line prints on white', () => {
  const withImages = (...nodes: ImageChoice[]): Partial<LineContent> => ({ imageNodes: nodes })
  const replacedBy = (imageId: number) => ({ ...imageChoice(11, 502), replacementImageId: imageId })
  const groupImage = { ...imageChoice(11, null), groupImageId: 601 }

  test.each<[string, CartPackage, boolean]>([
    ['a line with a cut-out and no background prints on white', line(withImages(imageChoice(11, 501))), true],
    [
      'a line with one cut-out among other images prints on white',
      line(withImages(imageChoice(11, 502), imageChoice(12, 501))),
      true,
    ],
    [
      'a line with a background does not print on white',
      line({ ...withImages(imageChoice(11, 501)), greenScreenBackgroundId: 9 }),
      false,
    ],
    [
      'a line without a cut-out does not print on white',
      line(withImages(imageChoice(11, 502), imageChoice(12, 502))),
      false,
    ],
    [
      'a line with images of unknown transparency does not print on white',
      line(withImages(imageChoice(11, 503), imageChoice(12, 503))),
      false,
    ],
    [
      'a line without images does not print on white',
      line(withImages(imageChoice(11, null), imageChoice(12, null))),
      false,
    ],
    ['a line with a group’s cut-out prints on white', line(withImages(groupImage)), true],
    ['a line with a cut-out as replacement prints on white', line(withImages(replacedBy(504))), true],
    [
      'a line whose cut-out was replaced does not print on white',
      line(withImages({ ...imageChoice(11, 501), replacementImageId: 502 })),
      false,
    ],
  ])('%s', (_name, cartLine, expected) => expect(printsOnWhite(cartLine)).toBe(expected))
})

import { expect, test } from 'vitest'
import { imageChoice, lineOf, packageItem, packageOf } from '#tests/domain/cart/cart-fixtures.ts'
import { printContentOf } from '#ui/print/print-content.ts'

const item = packageItem()
const images = [501, 701].map((imageId) => ({
  imageId,
  width: 4,
  height: 5,
  thumbnailUrl: `/photos/g/${imageId}/thumb-a`,
}))

test.each([
  ['the chosen image', null, '/photos/g/501/thumb-a'],
  ['a replacement image if the studio provided one', 701, '/photos/g/701/thumb-a'],
])('a node shows %s', (_, replacementImageId, url) => {
  const line = lineOf(packageOf({ items: [item] }), { imageNodes: [{ ...imageChoice(11), replacementImageId }] })
  const content = printContentOf({ ...line, snapshot: { ...line.snapshot, images } }, item)
  expect(content.images.get(11)?.url).toBe(url)
})

test('a larger image has the line’s own thumbnail as placeholder', () => {
  const line = lineOf(packageOf({ items: [item] }), { imageNodes: [imageChoice(11)] })
  const content = printContentOf(
    { ...line, snapshot: { ...line.snapshot, images } },
    item,
    new Map([[501, '/photos/g/501/preview-a']]),
  )
  expect(content.images.get(11)).toMatchObject({
    url: '/photos/g/501/preview-a',
    placeholderUrl: '/photos/g/501/thumb-a',
  })
})

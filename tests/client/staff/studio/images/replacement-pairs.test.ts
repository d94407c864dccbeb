import { describe, expect, test } from 'vitest'
import { moveInOrder, pairFilesByName } from '#client/staff/studio/images/replacement-pairs.ts'

const images = [
  { id: 1, fileName: 'IMG_1.jpg' },
  { id: 2, fileName: 'IMG_2.jpg' },
  { id: 3, fileName: 'IMG_2.png' },
]
const files = (...names: string[]) => names.map((name) => ({ name }))

describe('pairing replacement files with images', () => {
  test.each([
    [
      'a file replaces the image of the same name, ignoring case and extension',
      images,
      files('img_1.PNG'),
      [[1, 'img_1.PNG']],
      [],
    ],
    [
      'a single file replaces a single image even if their names differ',
      images.slice(0, 1),
      files('retouched.jpg'),
      [[1, 'retouched.jpg']],
      [],
    ],
    ['a file is unmatched if two images have its name', images, files('IMG_2.jpg'), [], ['IMG_2.jpg']],
    [
      'a file is unmatched if another file already replaces the image of its name',
      images,
      files('IMG_1.jpg', 'IMG_1.png'),
      [[1, 'IMG_1.jpg']],
      ['IMG_1.png'],
    ],
    ['a file is unmatched if no image has its name', images, files('IMG_9.jpg'), [], ['IMG_9.jpg']],
    ['no files give no pairs', images, [], [], []],
  ])('%s', (_, targets, replacementFiles, expectedPairs, unmatched) => {
    const result = pairFilesByName(targets, replacementFiles)
    expect(result.pairs.map(({ imageId, file }) => [imageId, file.name])).toEqual(expectedPairs)
    expect(result.unmatched).toEqual(unmatched)
  })
})

test.each([
  [[1, 2, 3], 2, -1, [2, 1, 3]],
  [[1, 2, 3], 2, 1, [1, 3, 2]],
  [[1, 2, 3], 1, -1, null],
  [[1, 2, 3], 3, 1, null],
  [[1, 2, 3], 9, 1, null],
] as const)('moveInOrder(%j, %i, %i) is %j', (ids, id, offset, order) =>
  expect(moveInOrder(ids, id, offset)).toEqual(order),
)

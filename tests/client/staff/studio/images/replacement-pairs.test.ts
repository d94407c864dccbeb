import { describe, expect, test } from 'vitest'
import { moveInOrder, pairFilesByName } from '#client/staff/studio/images/replacement-pairs.ts'

const images = [
  { id: 1, fileName: 'IMG_1.jpg' },
  { id: 2, fileName: 'IMG_2.jpg' },
  { id: 3, fileName: 'IMG_2.png' },
]
const files = (...names: string[]) => names.map((name) => ({ name }))

describe('the file that takes a picture’s place', () => {
  test.each([
    ['has its name, however it is written', images, files('img_1.PNG'), [[1, 'img_1.PNG']], []],
    ['is the only one for the only one', images.slice(0, 1), files('retouched.jpg'), [[1, 'retouched.jpg']], []],
    ['is left where two pictures have its name', images, files('IMG_2.jpg'), [], ['IMG_2.jpg']],
    [
      'is left where another took the place',
      images,
      files('IMG_1.jpg', 'IMG_1.png'),
      [[1, 'IMG_1.jpg']],
      ['IMG_1.png'],
    ],
    ['is left where no picture has its name', images, files('IMG_9.jpg'), [], ['IMG_9.jpg']],
    ['is none where none was chosen', images, [], [], []],
  ])('%s', (_, of, given, pairs, left) => {
    const found = pairFilesByName(of, given)
    expect(found.pairs.map(({ imageId, file }) => [imageId, file.name])).toEqual(pairs)
    expect(found.unmatched).toEqual(left)
  })
})

test.each([
  [[1, 2, 3], 2, -1, [2, 1, 3]],
  [[1, 2, 3], 2, 1, [1, 3, 2]],
  [[1, 2, 3], 1, -1, null],
  [[1, 2, 3], 3, 1, null],
  [[1, 2, 3], 9, 1, null],
] as const)('of %j, %i by %i is %j', (ids, id, by, order) => expect(moveInOrder(ids, id, by)).toEqual(order))

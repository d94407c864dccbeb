import { expect, test } from 'vitest'
import { contentsLines } from '#client/customer/shared/catalogue/item-labels.ts'

const items = [
  { name: '8x10 Print', productCode: '8x10' },
  { name: '5x7 Print', productCode: '5x7' },
  { name: '5x7 Print', productCode: '5x7' },
]

test.each([
  ['its items, each with its count', null, ['8×10 Print', '2 × 5×7 Print']],
  ['the studio’s lines', 'One 8×10\n\nTwo 5×7s\n', ['One 8×10', 'Two 5×7s']],
  ['its items if the studio wrote only blanks', ' \n ', ['8×10 Print', '2 × 5×7 Print']],
])('a package lists %s', (_, altDescription, lines) => expect(contentsLines({ altDescription, items })).toEqual(lines))

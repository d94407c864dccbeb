import { expect, test } from 'vitest'
import { slugFromText } from '#client/home/find-studio-form.tsx'

test.each([
  ['riverside', 'riverside'],
  [' Riverside ', 'riverside'],
  ['Summit Sports', 'summit-sports'],
  ['https://fieldproof.test/riverside/12/search?x=1', 'riverside'],
  ['fieldproof.test/riverside', 'riverside'],
  ['/riverside', 'riverside'],
  ['', undefined],
  ['!!!', undefined],
])('the text %j is the slug %j', (text, slug) => expect(slugFromText(text)).toBe(slug))

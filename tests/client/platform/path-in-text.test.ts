import { expect, test } from 'vitest'
import { pathInText } from '#platform/path-in-text.ts'

test.each([
  ['https://fieldproof.test/riverside/code/ADALVL', '/riverside/code/ADALVL'],
  ['fieldproof.test/riverside/code/ADALVL.', '/riverside/code/ADALVL'],
  ['Your photos: http://localhost:4600/riverside/code/ada%20lvl (valid until June)', '/riverside/code/ada%20lvl'],
  ['https://photos.riverside.test/riverside?code=ADALVL', '/riverside/code/ADALVL'],
  ['https://fieldproof.test/riverside/12/search?x=1', '/riverside/12/search?x=1'],
  ['https://fieldproof.test/riverside/download/a1B2', '/riverside/download/a1B2'],
  ['fieldproof.test/riverside', '/riverside'],
  ['/riverside', '/riverside'],
  ['<https://fieldproof.test/riverside>', undefined],
  ['https://fieldproof.test/', undefined],
  ['https://fieldproof.test', undefined],
  ['https://example.test/some.page', undefined],
  ['https://example.test/some/page', undefined],
  ['//evil.test/riverside', undefined],
  ['https://fieldproof.test//evil.test', undefined],
  ['Smith/Jones Photos', undefined],
  ['javascript:alert(1)/riverside', undefined],
  ['riverside', undefined],
  ['ADALVL', undefined],
  ['', undefined],
])('the text %j contains the path %j', (text, path) => expect(pathInText(text)).toBe(path))

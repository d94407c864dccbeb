import { expect, test } from 'vitest'
import { studioSearchKeys } from '#domain/studio/studio-slug.ts'

test.each([
  ['Riverside Portraits', ['riverside', 'portraits']],
  ['  riverside-portraits ', ['riverside', 'portraits']],
  ['MÜLLER & Søn', ['muller', 'son']],
  ['Mueller Soen', ['muller', 'son']],
  ["O'Brien’s", ['obriens']],
  ['H & M', []],
  ['ab', []],
  ['', []],
])('the words of the typed studio %j are %j', (text, words) => expect(studioSearchKeys(text)).toEqual(words))

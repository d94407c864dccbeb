import { describe, expect, test } from 'vitest'
import { findMissingFields, itemCompleteness, lineCompleteness } from '#domain/cart/completeness.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { imageChoice, imageNode, lineOf, packageItem, packageOf, textChoice, textNode } from './cart-fixtures.ts'

const packageWithTwoItems = packageOf({
  items: [
    packageItem(),
    packageItem({
      id: 2,
      imageNodes: [imageNode({ id: 12, name: 'Group1' }), imageNode({ id: 13, name: 'Logo', static: true })],
      textNodes: [textNode({ id: 22, name: 'Year', editable: false })],
    }),
  ],
})
const digital = packageOf({ items: [packageItem({ productCode: 'SingleDigDown' })] })

const image = imageChoice(11)
const group = { ...imageChoice(12, null), groupImageId: 502 }
const text = textChoice(21, 'Ada')
const state = (all: boolean, textOnly: boolean, imageOnly: boolean) => ({ all, textOnly, imageOnly })

describe('package completeness (section 4)', () => {
  test.each<[string, Partial<LineContent>, OrderMethod, ReturnType<typeof state>]>([
    ['nothing', {}, 'gallery', state(false, false, false)],
    ['images of subject and group', { imageNodes: [image, group] }, 'gallery', state(false, false, true)],
    ['one of two images', { imageNodes: [image], textNodes: [text] }, 'gallery', state(false, true, false)],
    ['text only', { textNodes: [text] }, 'gallery', state(false, true, false)],
    ...[' \t', '\u200b'].map((blank): [string, Partial<LineContent>, OrderMethod, ReturnType<typeof state>] => [
      `blank text ${JSON.stringify(blank)}`,
      { imageNodes: [image, group], textNodes: [textChoice(21, blank)] },
      'gallery',
      state(false, false, true),
    ]),
    ['everything', { imageNodes: [image, group], textNodes: [text] }, 'gallery', state(true, true, true)],
    ['texts only, for prepay', { textNodes: [text] }, 'prepay', state(true, true, true)],
    ['nothing, for prepay', {}, 'prepay', state(false, false, true)],
  ])('completeness is computed for a line with %s', (_name, content, orderMethod, expected) => {
    expect(lineCompleteness(lineOf(packageWithTwoItems, content), orderMethod)).toEqual(expected)
  })

  test('completeness is computed per item too', () => {
    const line = lineOf(packageWithTwoItems, { imageNodes: [group] })
    expect(itemCompleteness(line, 1, 'gallery')).toEqual(state(false, false, false))
    expect(itemCompleteness(line, 2, 'gallery')).toEqual(state(true, true, true))
  })

  test('digital downloads skip the text check', () => {
    expect(lineCompleteness(lineOf(digital, { imageNodes: [image] }), 'gallery').all).toBe(true)
    expect(lineCompleteness(lineOf(digital), 'gallery')).toEqual(state(false, true, false))
  })

  test('items that the package of a line does not have require nothing', () => {
    const line = lineOf(packageWithTwoItems)
    const lineOfEmptyPackage = { ...line, snapshot: { ...line.snapshot, package: packageOf({ items: [] }) } }
    expect(findMissingFields(lineOfEmptyPackage, 'gallery')).toEqual([])
    expect(lineCompleteness(lineOfEmptyPackage, 'gallery')).toEqual(state(true, true, true))
  })

  test('missing fields are listed in order, without nodes that are not editable', () => {
    expect(findMissingFields(lineOf(packageWithTwoItems), 'gallery')).toEqual([
      { itemId: 1, nodeId: 11, kind: 'image', name: 'Image1' },
      { itemId: 1, nodeId: 21, kind: 'text', name: 'First line' },
      { itemId: 2, nodeId: 12, kind: 'image', name: 'Group1' },
    ])
  })
})

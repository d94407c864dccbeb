import { describe, expect, it } from 'vitest'
import { enforceFixedTexts, type FixedTextContext } from '#domain/cart/fixed-texts.ts'
import { lineOf, packageItem, packageOf, textChoice, textNode } from './cart-fixtures.ts'

const of = packageOf({
  items: [
    packageItem({
      textNodes: [
        textNode({ id: 21, name: 'Name', dataSource: 'name' }),
        textNode({ id: 22, name: 'Name', dataSource: 'name', editable: false }),
        textNode({ id: 23, name: 'Year', dataSource: null, value: 'Class of 2027', editable: false }),
        textNode({ id: 24, name: 'Contact', dataSource: 'email', value: 'The studio', editable: false }),
      ],
    }),
  ],
})
const ada = { firstName: 'Ada', lastName: 'Lovelace', fields: [{ name: 'email', value: 'ada@engine.test' }] }
const settled = (nodeId: number, value: string, own: Partial<FixedTextContext> & { autoFilled?: boolean } = {}) => {
  const { autoFilled = false, ...about } = own
  const text = { ...textChoice(nodeId, value), autoFilled }
  const all = { made: of, subject: ada, before: undefined, isKnown: () => false, ...about }
  const [one] = enforceFixedTexts([text], all) ?? []
  return one?.value ?? null
}

describe('a text nobody may edit', () => {
  it.each([
    ['the node’s own words', 23, 'Class of 2027', 'Class of 2027'],
    ['what is known of the person', 22, 'Ada Lovelace', 'Ada Lovelace'],
    ['the node’s own words where more is known', 24, 'The studio', 'The studio'],
    ['an untouched mask, as what stands behind it', 24, 'ad***@engine.test', 'ada@engine.test'],
    ['a mask of what was known before, as what is known now', 24, 'gr***@navy.test', 'ada@engine.test'],
    ['nothing else', 23, 'Class of 2028', null],
    ['nobody else’s name', 22, 'Grace', null],
    ['no emptiness', 23, '', null],
  ])('takes %s', (_, nodeId, value, becomes) => expect(settled(nodeId, value)).toBe(becomes))

  it('takes what the line has already', () => {
    const before = lineOf(of, { textNodes: [textChoice(22, 'Augusta')] })
    expect(settled(22, 'Augusta', { before })).toBe('Augusta')
    expect(settled(22, 'Grace', { before })).toBeNull()
  })

  it('reads as it is known now where a device filled it in with what was known before', () => {
    expect(settled(22, 'Ada King', { autoFilled: true })).toBe('Ada Lovelace')
    expect(settled(23, 'Class of 2026', { autoFilled: true })).toBe('Class of 2027')
  })

  it('reads as it does now where another version, or another line, had it otherwise', () => {
    const isKnown = (nodeId: number, value: string) => nodeId === 23 && value === 'Class of 2026'
    expect(settled(23, 'Class of 2026', { isKnown })).toBe('Class of 2027')
    expect(settled(22, 'Class of 2026', { isKnown })).toBeNull()
  })

  it('does not follow what was typed into another of its name', () => {
    const about = { made: of, subject: ada, before: undefined, isKnown: () => false }
    const typed = [textChoice(21, 'Countess'), textChoice(22, 'Countess')]
    expect(enforceFixedTexts(typed, about)?.map(({ value }) => value)).toEqual(['Countess', 'Ada Lovelace'])
    expect(enforceFixedTexts([textChoice(21, 'Countess'), textChoice(23, 'Countess')], about)).toBeNull()
  })

  it('is no business of texts that may be edited, nor of nodes the package does not have', () => {
    const given = [textChoice(21, 'Countess'), textChoice(99, 'x')]
    expect(enforceFixedTexts(given, { made: of, subject: ada, before: undefined, isKnown: () => false })).toEqual(given)
  })
})

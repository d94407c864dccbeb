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

describe('a text that is not editable', () => {
  it.each([
    ['equal to the node’s own text is accepted', 23, 'Class of 2027', 'Class of 2027'],
    ['equal to the subject’s data is accepted', 22, 'Ada Lovelace', 'Ada Lovelace'],
    ['equal to the node’s own text is accepted although there is data', 24, 'The studio', 'The studio'],
    ['that is an unchanged mask becomes the original', 24, 'ad***@engine.test', 'ada@engine.test'],
    ['that is a mask of outdated data becomes the current data', 24, 'gr***@navy.test', 'ada@engine.test'],
    ['that differs from the node’s own text is rejected', 23, 'Class of 2028', null],
    ['with another subject’s name is rejected', 22, 'Grace', null],
    ['that is empty is rejected', 23, '', null],
  ])('a fixed text %s', (_, nodeId, value, becomes) => expect(settled(nodeId, value)).toBe(becomes))

  it('a fixed text accepts the value that the line already has', () => {
    const before = lineOf(of, { textNodes: [textChoice(22, 'Augusta')] })
    expect(settled(22, 'Augusta', { before })).toBe('Augusta')
    expect(settled(22, 'Grace', { before })).toBeNull()
  })

  it('a fixed text autofilled by a device from outdated data is replaced by the current value', () => {
    expect(settled(22, 'Ada King', { autoFilled: true })).toBe('Ada Lovelace')
    expect(settled(23, 'Class of 2026', { autoFilled: true })).toBe('Class of 2027')
  })

  it('a fixed text from another package version or another line is replaced by the current value', () => {
    const isKnown = (nodeId: number, value: string) => nodeId === 23 && value === 'Class of 2026'
    expect(settled(23, 'Class of 2026', { isKnown })).toBe('Class of 2027')
    expect(settled(22, 'Class of 2026', { isKnown })).toBeNull()
  })

  it('a fixed text does not follow what was typed into another text of the same name', () => {
    const about = { made: of, subject: ada, before: undefined, isKnown: () => false }
    const typed = [textChoice(21, 'Countess'), textChoice(22, 'Countess')]
    expect(enforceFixedTexts(typed, about)?.map(({ value }) => value)).toEqual(['Countess', 'Ada Lovelace'])
    expect(enforceFixedTexts([textChoice(21, 'Countess'), textChoice(23, 'Countess')], about)).toBeNull()
  })

  it('editable texts and unknown nodes are left alone by the check of fixed texts', () => {
    const given = [textChoice(21, 'Countess'), textChoice(99, 'x')]
    expect(enforceFixedTexts(given, { made: of, subject: ada, before: undefined, isKnown: () => false })).toEqual(given)
  })
})

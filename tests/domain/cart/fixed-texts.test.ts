import { describe, expect, it } from 'vitest'
import { enforceFixedTexts, type FixedTextContext } from '#domain/cart/fixed-texts.ts'
import { lineOf, packageItem, packageOf, textChoice, textNode } from './cart-fixtures.ts'

const packageVersion = packageOf({
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
const enforcedValue = (
  nodeId: number,
  value: string,
  options: Partial<FixedTextContext> & { autoFilled?: boolean } = {},
) => {
  const { autoFilled = false, ...context } = options
  const text = { ...textChoice(nodeId, value), autoFilled }
  const fullContext = { definition: packageVersion, subject: ada, before: undefined, isKnown: () => false, ...context }
  const [enforced] = enforceFixedTexts([text], fullContext) ?? []
  return enforced?.value ?? null
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
  ])('a fixed text %s', (_, nodeId, value, expected) => expect(enforcedValue(nodeId, value)).toBe(expected))

  it('a fixed text accepts the value that the line already has', () => {
    const before = lineOf(packageVersion, { textNodes: [textChoice(22, 'Augusta')] })
    expect(enforcedValue(22, 'Augusta', { before })).toBe('Augusta')
    expect(enforcedValue(22, 'Grace', { before })).toBeNull()
  })

  it('a fixed text autofilled by a device from outdated data is replaced by the current value', () => {
    expect(enforcedValue(22, 'Ada King', { autoFilled: true })).toBe('Ada Lovelace')
    expect(enforcedValue(23, 'Class of 2026', { autoFilled: true })).toBe('Class of 2027')
  })

  it('a fixed text from another package version or another line is replaced by the current value', () => {
    const isKnown = (nodeId: number, value: string) => nodeId === 23 && value === 'Class of 2026'
    expect(enforcedValue(23, 'Class of 2026', { isKnown })).toBe('Class of 2027')
    expect(enforcedValue(22, 'Class of 2026', { isKnown })).toBeNull()
  })

  it('a fixed text does not follow what was typed into another text of the same name', () => {
    const context = { definition: packageVersion, subject: ada, before: undefined, isKnown: () => false }
    const typed = [textChoice(21, 'Countess'), textChoice(22, 'Countess')]
    expect(enforceFixedTexts(typed, context)?.map(({ value }) => value)).toEqual(['Countess', 'Ada Lovelace'])
    expect(enforceFixedTexts([textChoice(21, 'Countess'), textChoice(23, 'Countess')], context)).toBeNull()
  })

  it('editable texts and unknown nodes are not changed by the check of fixed texts', () => {
    const texts = [textChoice(21, 'Countess'), textChoice(99, 'x')]
    expect(
      enforceFixedTexts(texts, { definition: packageVersion, subject: ada, before: undefined, isKnown: () => false }),
    ).toEqual(texts)
  })
})

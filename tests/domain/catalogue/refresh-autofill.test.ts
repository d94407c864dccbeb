import { describe, expect, it } from 'vitest'
import { autofillPackageTexts, refreshLineTexts } from '#domain/catalogue/refresh-autofill.ts'
import { lineOf, packageItem, packageOf, textChoice, textNode } from '../cart/cart-fixtures.ts'

const texts = [
  textNode({ id: 21, dataSource: 'First Name' }),
  textNode({ id: 22, dataSource: 'Grade' }),
  textNode({ id: 23, dataSource: null }),
]
const of = packageOf({ items: [packageItem({ textNodes: texts })] })
const from = (nodeId: number, value: string) => ({ ...textChoice(nodeId, value), autoFilled: true })
const line = (...textNodes: ReturnType<typeof textChoice>[]) => lineOf(of, { textNodes })
const bo = (firstName: string, grade: string) => ({
  firstName,
  lastName: 'Ek',
  fields: [{ name: 'Grade', value: grade }],
})
const written = line(from(21, 'Bo'), from(22, '3'), textChoice(23, 'Bo'))

describe('texts filled in from somebody’s data', () => {
  it('follow when it changes; what the customer wrote stays', () => {
    expect(refreshLineTexts(written, bo('Bodil', '4'))).toEqual([
      from(21, 'Bodil'),
      from(22, '4'),
      textChoice(23, 'Bo'),
    ])
    expect(refreshLineTexts(line(textChoice(21, 'Bobby')), bo('Bodil', '4'))).toBeNull()
  })

  it('are left alone when they read the same', () => {
    expect(refreshLineTexts(written, bo('Bo', '3'))).toBeNull()
  })

  it('say the node’s own words again where the data says nothing any more', () => {
    expect(refreshLineTexts(written, bo('Bo', ''))).toContainEqual(textChoice(22, ''))
  })
})

describe('the texts of a new line', () => {
  it('are filled in where nobody names them, by data, else by the node’s own words', () => {
    expect(autofillPackageTexts(of, [], bo('Bo', ''))).toEqual([from(21, 'Bo'), textChoice(22, ''), textChoice(23, '')])
    const own = packageOf({
      items: [packageItem({ textNodes: [textNode({ dataSource: null, value: 'Class of 2027' })] })],
    })
    expect(autofillPackageTexts(own, [], bo('Bo', ''))).toEqual([textChoice(21, 'Class of 2027')])
  })

  it('stay as they are named; that they read as the data says is seen, not told', () => {
    expect(autofillPackageTexts(of, [textChoice(21, 'Bo'), from(22, '5')], bo('Bo', '4'))).toEqual([
      from(21, 'Bo'),
      textChoice(22, '5'),
      textChoice(23, ''),
    ])
    expect(autofillPackageTexts(of, [textChoice(21, '')], bo('Bo', '4'))[0]).toEqual(textChoice(21, ''))
  })

  it('keep what belongs to no node of the package, for the rules to refuse', () => {
    expect(autofillPackageTexts(of, [textChoice(99, 'x')], bo('Bo', ''))).toContainEqual(textChoice(99, 'x'))
  })
})

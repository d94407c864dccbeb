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

describe('autofilled texts of a line', () => {
  it('autofilled texts follow the subject’s data, and typed texts stay', () => {
    expect(refreshLineTexts(written, bo('Bodil', '4'))).toEqual([
      from(21, 'Bodil'),
      from(22, '4'),
      textChoice(23, 'Bo'),
    ])
    expect(refreshLineTexts(line(textChoice(21, 'Bobby')), bo('Bodil', '4'))).toBeNull()
  })

  it('refreshing returns null if the texts are the same', () => {
    expect(refreshLineTexts(written, bo('Bo', '3'))).toBeNull()
  })

  it('autofilled texts fall back to the node’s own text if the data becomes empty', () => {
    expect(refreshLineTexts(written, bo('Bo', ''))).toContainEqual(textChoice(22, ''))
  })
})

describe('the texts of a new line', () => {
  it('missing texts are autofilled from the data, or set to the node’s own text', () => {
    expect(autofillPackageTexts(of, [], bo('Bo', ''))).toEqual([from(21, 'Bo'), textChoice(22, ''), textChoice(23, '')])
    const own = packageOf({
      items: [packageItem({ textNodes: [textNode({ dataSource: null, value: 'Class of 2027' })] })],
    })
    expect(autofillPackageTexts(own, [], bo('Bo', ''))).toEqual([textChoice(21, 'Class of 2027')])
  })

  it('given texts stay, and count as autofilled if they equal the data', () => {
    expect(autofillPackageTexts(of, [textChoice(21, 'Bo'), from(22, '5')], bo('Bo', '4'))).toEqual([
      from(21, 'Bo'),
      textChoice(22, '5'),
      textChoice(23, ''),
    ])
    expect(autofillPackageTexts(of, [textChoice(21, '')], bo('Bo', '4'))[0]).toEqual(textChoice(21, ''))
  })

  it('texts for unknown nodes are passed on for the rules to reject', () => {
    expect(autofillPackageTexts(of, [textChoice(99, 'x')], bo('Bo', ''))).toContainEqual(textChoice(99, 'x'))
  })
})

import { describe, expect, it } from 'vitest'
import { autofillPackageTexts, refreshLineTexts } from '#domain/catalogue/refresh-autofill.ts'
import { lineOf, packageItem, packageOf, textChoice, textNode } from '../cart/cart-fixtures.ts'

const textNodes = [
  textNode({ id: 21, dataSource: 'First Name' }),
  textNode({ id: 22, dataSource: 'Grade' }),
  textNode({ id: 23, dataSource: null }),
]
const packageWithTexts = packageOf({ items: [packageItem({ textNodes })] })
const autofilledText = (nodeId: number, value: string) => ({ ...textChoice(nodeId, value), autoFilled: true })
const lineWithTexts = (...texts: ReturnType<typeof textChoice>[]) => lineOf(packageWithTexts, { textNodes: texts })
const subjectWith = (firstName: string, grade: string) => ({
  firstName,
  lastName: 'Ek',
  fields: [{ name: 'Grade', value: grade }],
})
const autofilledLine = lineWithTexts(autofilledText(21, 'Bo'), autofilledText(22, '3'), textChoice(23, 'Bo'))

describe('autofilled texts of a line', () => {
  it('autofilled texts are updated from the subject’s data, and typed texts are not changed', () => {
    expect(refreshLineTexts(autofilledLine, subjectWith('Bodil', '4'))).toEqual([
      autofilledText(21, 'Bodil'),
      autofilledText(22, '4'),
      textChoice(23, 'Bo'),
    ])
    expect(refreshLineTexts(lineWithTexts(textChoice(21, 'Bobby')), subjectWith('Bodil', '4'))).toBeNull()
  })

  it('refreshLineTexts returns null if no text changes', () => {
    expect(refreshLineTexts(autofilledLine, subjectWith('Bo', '3'))).toBeNull()
  })

  it('an autofilled text is reset to the default text of its node if the data becomes empty', () => {
    expect(refreshLineTexts(autofilledLine, subjectWith('Bo', ''))).toContainEqual(textChoice(22, ''))
  })
})

describe('the texts of a new line', () => {
  it('missing texts are autofilled from the data, or set to the default text of their node', () => {
    expect(autofillPackageTexts(packageWithTexts, [], subjectWith('Bo', ''))).toEqual([
      autofilledText(21, 'Bo'),
      textChoice(22, ''),
      textChoice(23, ''),
    ])
    const packageWithDefaultText = packageOf({
      items: [packageItem({ textNodes: [textNode({ dataSource: null, value: 'Class of 2027' })] })],
    })
    expect(autofillPackageTexts(packageWithDefaultText, [], subjectWith('Bo', ''))).toEqual([
      textChoice(21, 'Class of 2027'),
    ])
  })

  it('existing texts are not changed, and are marked as autofilled only if they equal the data', () => {
    expect(
      autofillPackageTexts(packageWithTexts, [textChoice(21, 'Bo'), autofilledText(22, '5')], subjectWith('Bo', '4')),
    ).toEqual([autofilledText(21, 'Bo'), textChoice(22, '5'), textChoice(23, '')])
    expect(autofillPackageTexts(packageWithTexts, [textChoice(21, '')], subjectWith('Bo', '4'))[0]).toEqual(
      textChoice(21, ''),
    )
  })

  it('texts of unknown nodes are returned, so that the cart rules can reject them', () => {
    expect(autofillPackageTexts(packageWithTexts, [textChoice(99, 'x')], subjectWith('Bo', ''))).toContainEqual(
      textChoice(99, 'x'),
    )
  })
})

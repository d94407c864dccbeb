import { describe, expect, test } from 'vitest'
import { customiseReducer } from '#client/customer/packages/customiser/customise-reducer.ts'
import {
  customiseSteps,
  fieldProblems,
  groupSteps,
  matchingNodes,
  stepSignature,
  unchangedItems,
} from '#client/customer/packages/customiser/customise-steps.ts'
import {
  type CustomisedPackage,
  customisedPackageFromLine,
  newCustomisedPackage,
} from '#client/customer/packages/customiser/customised-package.ts'
import { lineOf, packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { ada, customiseContext, familyPackage } from '../package-examples.ts'

const editing = { orderMethod: 'gallery', importedData: true, subject: ada } as const
const startParts = (): CustomisedPackage[] => [newCustomisedPackage(familyPackage, customiseContext())]
const steps = customiseSteps(startParts(), editing)
const noneSeparate: ReadonlySet<string> = new Set()

describe('the guided flow', () => {
  test('asks for images, and for texts that imported data left empty', () => {
    expect(steps.map((step) => step.item.id)).toEqual([41, 42, 43, 44])
    expect(steps[0]?.textNodes.map((node) => node.name)).toEqual(['Motto'])
  })

  test('asks for every editable text if nothing was imported', () => {
    const [first] = customiseSteps(startParts(), { ...editing, importedData: false })
    expect(first?.textNodes.map((node) => node.name)).toEqual(['Name', 'Contact', 'Motto'])
  })

  test('asks for every editable text of a product that is always editable, and for no other', () => {
    const texts = [textNode({ id: 91, dataSource: 'name' }), textNode({ id: 92, dataSource: 'name', editable: false })]
    const items = ['MemoryMate', 'TraderCards', '8x10'].map((productCode, index) =>
      packageItem({ id: index, productCode, imageNodes: [], textNodes: texts }),
    )
    for (const orderMethod of ['gallery', 'prepay'] as const) {
      const askedSteps = customiseSteps([newCustomisedPackage(packageOf({ items }), customiseContext())], {
        ...editing,
        orderMethod,
      })
      expect(askedSteps.map((step) => [step.item.productCode, step.textNodes.map((node) => node.id)])).toEqual([
        ['MemoryMate', [91]],
        ['TraderCards', [91]],
      ])
    }
  })

  test('asks for an empty text, even if imported data could fill it in', () => {
    const namedItem = packageItem({ id: 9, imageNodes: [], textNodes: [textNode({ id: 91, dataSource: 'name' })] })
    const download = { ...namedItem, id: 10, productCode: 'Dj', textNodes: [textNode({ id: 101, dataSource: 'name' })] }
    const parts = [customisedPackageFromLine(lineOf(packageOf({ items: [namedItem, download] })))]
    expect(customiseSteps(parts, editing).map((step) => [step.item.id, step.textNodes.map((node) => node.id)])).toEqual(
      [[9, [91]]],
    )
  })

  test('asks for imported data that is not printable', () => {
    const wei = { ...ada, firstName: '李', lastName: 'Wei' }
    const namedItem = packageItem({ id: 9, imageNodes: [], textNodes: [textNode({ id: 91, dataSource: 'name' })] })
    const download = packageItem({
      ...namedItem,
      id: 10,
      productCode: 'WholeDigDown',
      textNodes: [textNode({ id: 101, dataSource: 'name' })],
    })
    const parts = [
      newCustomisedPackage(packageOf({ items: [namedItem, download] }), customiseContext({ subject: wei })),
    ]
    const askedSteps = customiseSteps(parts, { ...editing, subject: wei })
    expect(askedSteps.map((step) => [step.item.id, step.textNodes.map((node) => node.id)])).toEqual([[9, [91]]])
    expect(fieldProblems(parts, wei, 'prepay')).toMatchObject([
      { nodeId: 91, invalidMessage: 'The print can’t show “李”' },
    ])
    const romanised = customiseReducer(parts, { do: 'type', part: 0, nodeId: 91, shown: 'Li Wei' })
    expect(fieldProblems(romanised, wei, 'prepay')).toEqual([])
  })

  test('skips items that need no input', () => {
    const plainPackage = packageOf({ items: [packageItem({ id: 9, imageNodes: [], textNodes: [] })] })
    const parts = [newCustomisedPackage(plainPackage, customiseContext())]
    expect(customiseSteps(parts, editing)).toEqual([])
    expect(unchangedItems(parts, []).map((item) => item.id)).toEqual([9])
  })
})

describe('identical items', () => {
  test('are merged, and a change reaches the same node on each', () => {
    const groups = groupSteps(steps, { parts: startParts(), separateSignatures: noneSeparate })
    expect(groups.map(({ first, duplicates }) => [first.item.id, duplicates.length])).toEqual([
      [41, 0],
      [42, 1],
      [44, 0],
    ])
    const group = groups[1]
    if (!group) throw new Error('the pair is missing')
    expect(matchingNodes(group, 'image', 421)).toEqual([
      { part: 0, nodeId: 421 },
      { part: 0, nodeId: 431 },
    ])
    expect(matchingNodes(group, 'text', 422).map((match) => match.nodeId)).toEqual([422, 432])
  })

  test('are separate if the customer wants that or their contents differ', () => {
    const signature = steps[1] ? stepSignature(steps[1]) : ''
    expect(groupSteps(steps, { parts: startParts(), separateSignatures: new Set([signature]) })).toHaveLength(4)
    const cropDimensions = { width: 40, height: 40, cropX: 30, cropY: 30, xMid: 50, yMid: 50 }
    const frontendCropDimensions = { x: 0, y: 0, zoom: 2 }
    const cropped = customiseReducer(startParts(), {
      do: 'crop',
      part: 0,
      nodeId: 421,
      cropDimensions,
      frontendCropDimensions,
      rotation: 0,
    })
    expect(groupSteps(steps, { parts: cropped, separateSignatures: noneSeparate })).toHaveLength(4)
  })
})

describe('missing fields', () => {
  test('have the id of their field', () => {
    expect(fieldProblems(startParts(), ada, 'gallery').map(({ kind, name, fieldId }) => [kind, name, fieldId])).toEqual(
      [
        ['text', 'Motto', 'text-0-414'],
        ['text', 'Motto', 'text-0-422'],
        ['text', 'Motto', 'text-0-432'],
      ],
    )
  })

  test('include images if there are none to choose from', () => {
    const withoutImages = [newCustomisedPackage(familyPackage, customiseContext({ images: [] }))]
    expect(fieldProblems(withoutImages, ada, 'gallery').filter((problem) => problem.kind === 'image')).toHaveLength(4)
    expect(fieldProblems(withoutImages, ada, 'prepay').filter((problem) => problem.kind === 'image')).toHaveLength(0)
  })

  test('include a mask that was edited', () => {
    const parts = customiseReducer(startParts(), { do: 'type', part: 0, nodeId: 413, shown: 'ad***@engine' })
    expect(fieldProblems(parts, ada, 'gallery').map((problem) => problem.name)).toContain('Contact')
  })

  test('include an edited mask once, whatever was typed', () => {
    const parts = customiseReducer(startParts(), { do: 'type', part: 0, nodeId: 413, shown: 'ad***😀@engine' })
    expect(fieldProblems(parts, ada, 'gallery').filter((problem) => problem.name === 'Contact')).toHaveLength(1)
  })
})

import { expect, test } from 'vitest'
import { customiseSteps, groupSteps } from '#client/customer/packages/customiser/customise-steps.ts'
import {
  type CustomisedPackage,
  newCustomisedPackage,
} from '#client/customer/packages/customiser/customised-package.ts'
import {
  type CustomiserAction,
  customiserReducer,
  initialState,
} from '#client/customer/packages/customiser/customiser-state.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { packageItem, packageOf, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { ada, customiseContext, landscape, portrait } from '../package-examples.ts'

const mug = packageOf({
  id: 50,
  name: 'Mug',
  items: [packageItem({ id: 51, textNodes: [textNode({ id: 52, name: 'Motto', dataSource: null })] })],
})
const classic = packageOf({ id: 1 })
const start = (offer: Package): CustomisedPackage => newCustomisedPackage(offer, customiseContext())
const stateAfter = (...actions: CustomiserAction[]) => actions.reduce(customiserReducer, initialState([start(classic)]))
const setPackages = (...offers: Package[]): CustomiserAction => ({ do: 'set-packages', packages: offers.map(start) })
const typeOnMug: CustomiserAction = { do: 'type', part: 1, nodeId: 52, shown: 'Onward' }
const idsOf = (parts: readonly CustomisedPackage[]) => parts.map((part) => part.package.id)

test('an add-on comes after the package, which keeps its content', () => {
  const before = initialState([start(classic)])
  const { parts, initialParts } = customiserReducer(before, setPackages(classic, mug))
  expect(idsOf(parts)).toEqual([1, 50])
  expect(parts[0]).toBe(before.parts[0])
  expect(initialParts[0]).toBe(before.initialParts[0])
})

test('an add-on that was taken away comes back with what was typed', () => {
  const withoutMug = stateAfter(setPackages(classic, mug), typeOnMug, setPackages(classic))
  expect(idsOf(withoutMug.parts)).toEqual([1])
  const { parts } = customiserReducer(withoutMug, setPackages(classic, mug))
  expect(parts[1]?.texts).toMatchObject([{ nodeId: 52, shown: 'Onward' }])
})

test('typing changes the packages, and not how they were at the start', () => {
  const { parts, initialParts } = stateAfter(setPackages(classic, mug), typeOnMug)
  expect([parts[1]?.texts[0]?.shown, initialParts[1]?.texts[0]?.shown]).toEqual(['Onward', ''])
})

test('the prints of an add-on do not join equal prints that were edited before', () => {
  const extra = packageOf({ id: 60, items: classic.items })
  const [item] = classic.items
  const nodeId = item?.imageNodes[0]?.id ?? 0
  const choose: CustomiserAction = {
    ...{ do: 'choose', part: 0, nodeId, image: landscape, images: [portrait, landscape] },
    ...{ organizationType: 'school', everywhere: false },
  }
  const { parts, initialParts } = stateAfter(choose, setPackages(classic, extra))
  const images = parts.map((part) => part.images.map(({ subjectImageId }) => subjectImageId))
  expect(images).toEqual([[landscape.id], [portrait.id]])
  const steps = customiseSteps(initialParts, { orderMethod: 'gallery', importedData: false, subject: ada })
  const groups = groupSteps(steps, { parts: initialParts, separateSignatures: new Set() })
  expect(groups.map(({ first, duplicates }) => [first.part, duplicates.length])).toEqual([
    [0, 0],
    [1, 0],
  ])
})

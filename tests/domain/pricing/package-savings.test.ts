import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Package, PackageAddon, PackageItem } from '#domain/catalogue/catalogue.ts'
import { packageSavings } from '#domain/pricing/package-savings.ts'

const item = (name: string): PackageItem => ({
  id: 1,
  name,
  productCode: name,
  widthInches: 5,
  heightInches: 7,
  imageNodes: [],
  textNodes: [],
})

const standard: PackageAddon = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null }
const addOn: PackageAddon = { ...standard, type: 'addon_standard', requiresStandard: true }

const packageOf = (
  id: number,
  retailCost: number,
  names: readonly string[],
  packageAddon: PackageAddon = standard,
): Package => ({
  ...{ id, version: 1, name: `Package ${id}`, retailCost, altName: null, altDescription: null, packageAddon },
  items: names.map(item),
})

const savingsOf = (...offered: Package[]) => [...packageSavings(offered)]

describe('what a package saves', () => {
  test('is the difference to its items bought one by one', () =>
    expect(savingsOf(packageOf(1, 24, ['8x10']), packageOf(2, 16, ['BFs']), packageOf(3, 30, ['8x10', 'BFs']))).toEqual(
      [[3, 1000]],
    ))

  test('counts the price per piece of a package of three, rounded down to a cent', () =>
    expect(
      savingsOf(
        packageOf(1, 10, ['5x7', '5x7', '5x7']),
        packageOf(2, 16, ['BFs']),
        packageOf(3, 20, ['5x7', '5x7', 'BFs']),
      ),
    ).toEqual([[3, 266]]))

  test('counts an add-on to any package, if another item is sold without one', () => {
    const extra = packageOf(1, 8, ['5x7'], addOn)
    expect(savingsOf(extra, packageOf(2, 12, ['5x7', '5x7']))).toEqual([])
    expect(savingsOf(extra, packageOf(2, 16, ['BFs']), packageOf(3, 30, ['5x7', '5x7', 'BFs']))).toEqual([[3, 200]])
  })

  test.each<[string, PackageAddon]>([
    ['an add-on to one package', { ...addOn, packageId: 9 }],
    ['an add-on above an amount', { ...addOn, type: 'addon_price', requiredMinPrice: 1 }],
  ])('does not count %s', (_, packageAddon) =>
    expect(
      savingsOf(packageOf(1, 80, ['5x7'], packageAddon), packageOf(2, 16, ['BFs']), packageOf(3, 20, ['5x7', 'BFs'])),
    ).toEqual([]),
  )

  test('is unknown for a package with an item that is not sold alone', () =>
    expect(savingsOf(packageOf(1, 90, ['8x10']), packageOf(2, 20, ['8x10', 'Frame']))).toEqual([]))

  test('is never more than any way to buy its items one by one', () => {
    const names = ['8x10', '5x7', 'BFs'] as const
    const singles = fc.array(
      fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })),
      { minLength: 1, maxLength: 6 },
    )
    const bundle = fc.tuple(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 90 }),
    )
    fc.assert(
      fc.property(singles, bundle, (singleOffers, [bundleNames, dollars]) => {
        const offered = singleOffers.map(([name, count, price], index) =>
          packageOf(
            index + 1,
            price,
            Array.from({ length: count }, () => name),
          ),
        )
        const saved = packageSavings([...offered, packageOf(99, dollars, bundleNames)]).get(99) ?? 0
        // The cheapest way to get at least `needed` pieces of one item.
        const cheapest = (name: string, needed: number): number =>
          needed <= 0
            ? 0
            : Math.min(
                ...singleOffers
                  .filter(([offeredName]) => offeredName === name)
                  .map(([, count, price]) => price * 100 + cheapest(name, needed - count)),
              )
        const singly = names.reduce(
          (sum, name) => sum + cheapest(name, bundleNames.filter((bundled) => bundled === name).length),
          0,
        )
        expect(saved).toBeLessThanOrEqual(Math.max(singly - dollars * 100, 0))
      }),
    )
  })
})

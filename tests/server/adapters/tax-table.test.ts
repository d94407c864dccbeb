import { describe, expect, it } from 'vitest'
import { taxTable } from '#server/adapters/tax-table.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'

describe.each(enginesFor(import.meta.filename))('tax by the rates table on $name', (engine) => {
  const database = freshDatabase(engine)
  const at = new Date('2027-04-15T10:00:00Z')

  const setUp = async () => {
    const { db } = database()
    await db
      .insertInto('tax_rates')
      .values([
        { region: 'OH', tax_class: 'standard', rate_millionths: 57_500 },
        { region: 'OH', tax_class: 'digital', rate_millionths: 0 },
        { region: 'OH', tax_class: 'shipping', rate_millionths: 50_000 },
        {
          region: 'OH',
          postal_prefix: '454',
          tax_class: 'standard',
          rate_millionths: 70_000,
          valid_from: '2020-01-01',
        },
        {
          region: 'OH',
          postal_prefix: '454',
          tax_class: 'standard',
          rate_millionths: 72_500,
          valid_from: '2027-01-01',
        },
        {
          region: 'OH',
          postal_prefix: '454',
          tax_class: 'standard',
          rate_millionths: 90_000,
          valid_from: '2027-05-01',
        },
      ])
      .execute()
    const tax = taxTable(db)
    return (zip: string, goods: { taxClass: string; cents: number }[], state = 'oh') =>
      tax.quote({ studioId: 1, checkoutId: null, state, zip, goods, shippingCents: 1000, at })
  }

  it('the newest rate in force with the longest ZIP prefix applies', async () => {
    const quote = await setUp()
    const goods = [{ taxClass: 'standard', cents: 10_000 }]
    expect(await quote('45402', goods)).toEqual({
      ...{ goodsCents: 725, shippingCents: 50 },
      ...{ goodsRates: [72_500], shippingRate: 50_000 },
    })
    expect(await quote('43004', goods)).toMatchObject({ goodsCents: 575, shippingCents: 50 })
  })

  it('each tax class has its own rate or else the standard rate, and the tax is rounded once for all goods', async () => {
    const quote = await setUp()
    const pennies = Array.from({ length: 10 }, () => ({ taxClass: 'standard', cents: 7 }))
    expect((await quote('43004', pennies)).goodsCents).toBe(4)
    const mixedGoods = [
      { taxClass: 'digital', cents: 5000 },
      { taxClass: 'frames', cents: 1000 },
    ]
    expect((await quote('43004', mixedGoods)).goodsCents).toBe(58)
  })

  it('an address without rates is not taxed', async () => {
    const quote = await setUp()
    const goods = [{ taxClass: 'standard', cents: 10_000 }]
    expect(await quote('97201', goods, 'OR')).toEqual({
      ...{ goodsCents: 0, shippingCents: 0 },
      ...{ goodsRates: [0], shippingRate: 0 },
    })
  })
})

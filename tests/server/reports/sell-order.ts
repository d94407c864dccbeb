import { orderNumberFrom } from '#domain/orders/order-number.ts'
import { sumCents } from '#domain/pricing/money.ts'
import { shareTaxParts, type TaxPart } from '#domain/pricing/tax-parts.ts'
import type { Deps } from '#server/deps.ts'
import type { JobKey } from '#support/server/given.ts'

type Provider = 'test' | 'cash' | 'check'

/** A line of an order; with `packageId` a package, otherwise a service. */
export type SoldLine = {
  name: string
  cents: number
  quantity?: number
  discountCents?: number
  taxCents?: number
  packageId?: number
  productCodes?: readonly string[]
  subjectId?: number | null
}

/** A payment or refund, settled at the given time. */
export type Movement = {
  kind: 'charge' | 'refund'
  cents: number
  at: string
  state?: 'done' | 'pending' | 'failed'
  feeCents?: number
  provider?: Provider
  /** Without them, the amount has the same part of tax as the order, at one rate. */
  taxParts?: readonly TaxPart[]
}

export type SoldOrder = {
  job: JobKey
  placedAt: string
  lines: readonly SoldLine[]
  shippingCents?: number
  lateFeeCents?: number
  lateTaxCents?: number
  shippingTaxCents?: number
  promotionCode?: string
  state?: 'placed' | 'shipped' | 'cancelled'
  customer?: string
  usState?: string
  zip?: string
  movements: readonly Movement[]
}

/** A package with a version, for lines that name it. */
export const createPackage = async ({ db }: Deps, studioId: number, name: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const set = await tx
      .insertInto('package_sets')
      .values({ studio_id: studioId, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await tx
      .insertInto('packages')
      .values({ studio_id: studioId, package_set_id: set.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const version = { studio_id: studioId, package_id: id, version: 1, name, retail_cost_cents: 0 }
    await tx
      .insertInto('package_versions')
      .values({ ...version, addon_type: 'standard', content: '{}' })
      .execute()
    return id
  })

/** The service of all lines that are not packages. */
const serviceId = async ({ db }: Deps): Promise<number> => {
  const existing = await db.selectFrom('order_services').select('id').executeTakeFirst()
  const service = { kind: 'service', name: 'Retouch', price_cents: 0 } as const
  const insert = db.insertInto('order_services').values(service).returning('id')
  return (existing ?? (await insert.executeTakeFirstOrThrow())).id
}

const lineColumns = ({ packageId, productCodes = [], ...line }: SoldLine, position: number) => {
  const quantity = line.quantity ?? 1
  return {
    position,
    kind: packageId === undefined ? ('service' as const) : ('package' as const),
    package_id: packageId ?? null,
    package_version: packageId === undefined ? null : 1,
    name: line.name,
    quantity,
    unit_cents: line.cents,
    amount_cents: line.cents * quantity,
    discount_cents: line.discountCents ?? 0,
    tax_cents: line.taxCents ?? 0,
    subject_id: line.subjectId ?? null,
    snapshot: JSON.stringify({ package: { items: productCodes.map((productCode) => ({ productCode })) } }),
  }
}

/** The parts of an amount of an order with this total and tax: tax at 5.75 %. */
const defaultTaxParts = (cents: number, { total, tax }: { total: number; tax: number }): TaxPart[] =>
  total === 0 || tax === 0
    ? [{ rate: 0, goodsCents: cents, taxCents: 0 }]
    : shareTaxParts(cents, [{ rate: 57_500, goodsCents: total - tax, taxCents: tax }])

/** Inserts an order with its lines and its ledger, which need not agree with its total. */
export const sellOrder = async (deps: Deps, order: SoldOrder): Promise<string> => {
  const { db, randomBytes } = deps
  const { studioId, jobId } = order.job
  const lines = order.lines.map(lineColumns)
  const amounts = lines.map((line) => line.amount_cents)
  const discount = sumCents(lines.map((line) => line.discount_cents))
  const { lateFeeCents = 0, lateTaxCents = 0 } = order
  const tax = sumCents(lines.map((line) => line.tax_cents)) + lateTaxCents + (order.shippingTaxCents ?? 0)
  const shipping = order.shippingCents ?? 0
  const [firstName = '', lastName = ''] = (order.customer ?? 'Grace Hopper').split(' ')
  const orderNumber = orderNumberFrom(randomBytes(8))
  const total = sumCents(amounts) - discount + lateFeeCents + shipping + tax
  const usState = order.usState ?? 'OH'
  const { id } = await db
    .insertInto('orders')
    .values({
      ...{ studio_id: studioId, job_id: jobId, order_number: orderNumber, order_method: 'gallery' },
      ...{ first_name: firstName, last_name: lastName, email: 'grace@example.com', email_key: 'grace@example.com' },
      ...{ pay_method: 'card', state: order.state ?? 'placed', promotion_code: order.promotionCode ?? null },
      shipping_address: JSON.stringify({ state: usState, zip: order.zip ?? '45402' }),
      tax_state: usState,
      ...{ packages_cents: sumCents(amounts), discount_cents: discount, shipping_cents: shipping, tax_cents: tax },
      late_fee_cents: lateFeeCents,
      total_cents: total,
      ...{
        totals: JSON.stringify({ lateFee: { taxCents: lateTaxCents } }),
        placed_at: order.placedAt,
        moved_at: order.placedAt,
      },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const line of lines)
    await db
      .insertInto('order_lines')
      .values({
        ...{ studio_id: studioId, order_id: id, ...line },
        order_service_id: line.package_id === null ? await serviceId(deps) : null,
      })
      .execute()
  let chargeId: number | null = null
  for (const { kind, cents, at, state = 'done', feeCents = 0, provider = 'test', taxParts } of order.movements) {
    const row = await db
      .insertInto('ledger')
      .values({
        ...{
          studio_id: studioId,
          order_id: id,
          kind,
          state,
          amount_cents: cents,
          platform_fee_cents: feeCents,
          provider,
        },
        ...{ created_at: at, settled_at: state === 'pending' ? null : at },
        refund_of: kind === 'refund' ? chargeId : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const part of taxParts ?? defaultTaxParts(cents, { total, tax }))
      await db
        .insertInto('ledger_taxes')
        .values({
          ...{ studio_id: studioId, ledger_id: row.id, rate_millionths: part.rate },
          ...{ goods_cents: part.goodsCents, tax_cents: part.taxCents },
        })
        .execute()
    if (kind === 'charge') chargeId = row.id
  }
  return orderNumber
}

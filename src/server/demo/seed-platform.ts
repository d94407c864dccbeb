import type { Transaction } from '../database/database.ts'
import { insertInitialCatalogue } from '../platform/initial-catalogue.ts'
import { isPlatformInitialized } from '../platform/initialize-platform.ts'

/** Tax rates in millionths: goods, shipping, downloads. Rounded state rates, enough for a demo; not tax advice. */
const taxRates = [
  ['OH', 57_500, 57_500, 57_500],
  ['NY', 40_000, 40_000, 0],
  ['CA', 72_500, 0, 0],
  ['TX', 62_500, 62_500, 62_500],
  ['PA', 60_000, 60_000, 60_000],
  ['IL', 62_500, 0, 0],
  ['WA', 65_000, 65_000, 65_000],
  ['FL', 60_000, 0, 0],
  ['CO', 29_000, 0, 29_000],
  ['OR', 0, 0, 0],
] as const

/** Ids of records that the platform's administrators create before the first studio. */
export type PlatformIds = {
  readonly featureIds: ReadonlyMap<string, number>
  readonly services: readonly { id: number; price_cents: number; position: number }[]
  /** The template of the field "Grade". */
  readonly gradeId: number
}

const insertTaxRates = async (tx: Transaction): Promise<void> => {
  const rates = taxRates.flatMap(([region, goods, shipping, digital]) => [
    { region, tax_class: 'standard', rate_millionths: goods },
    { region, tax_class: 'shipping', rate_millionths: shipping },
    { region, tax_class: 'digital', rate_millionths: digital },
  ])
  await tx.insertInto('tax_rates').values(rates).execute()
}

/** Inserts the initial catalogue, if it is missing, and tax rates. */
export const insertPlatform = async (tx: Transaction): Promise<PlatformIds> => {
  if (!(await isPlatformInitialized(tx))) await insertInitialCatalogue(tx)
  await insertTaxRates(tx)
  const features = await tx.selectFrom('features').select(['id', 'identifier']).execute()
  const { id: gradeId } = await tx
    .selectFrom('defined_fields')
    .select('id')
    .where('name', '=', 'Grade')
    .executeTakeFirstOrThrow()
  return {
    featureIds: new Map(features.map(({ identifier, id }) => [identifier, id])),
    services: await tx
      .selectFrom('order_services')
      .select(['id', 'price_cents', 'position'])
      .orderBy('position')
      .execute(),
    gradeId,
  }
}

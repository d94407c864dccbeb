import { enums, type Infer, integer, object, string, type } from 'superstruct'
import { type TaxRateClass, taxRateClasses } from '#domain/studio/tax-rate.ts'
import { Count, Day, Id, shortText, WholeNumber } from '../shapes/primitives.ts'
import { resource } from '../shapes/resource.ts'
import { administrators, expectedVersion, listQuery } from '../shapes/staff-call.ts'

const classes = Object.keys(taxRateClasses) as TaxRateClass[] // the keys of a constant

/** A sales tax of a state, or of the ZIP codes with a prefix. The newest rate of the longest prefix applies. */
export const TaxRate = type({
  id: integer(),
  region: string(),
  /** Empty for the whole state. */
  postalPrefix: string(),
  taxClass: enums(classes),
  rateMillionths: Count,
  validFrom: Day,
  version: Count,
})
export type TaxRate = Infer<typeof TaxRate>

const draft = {
  region: shortText(20),
  postalPrefix: shortText(20),
  taxClass: enums(classes),
  rateMillionths: WholeNumber,
  validFrom: shortText(20),
}

/** The tax rates of the platform (section 7, generic resource pattern). */
const taxRates = resource({
  base: '/api/admin/taxes',
  who: administrators,
  listParams: object({}),
  itemParams: object({ id: Id }),
  query: object(listQuery),
  row: TaxRate,
  item: TaxRate,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion }),
})
export const {
  get: getTaxRate,
  list: listTaxRates,
  post: postTaxRate,
  put: putTaxRate,
  remove: deleteTaxRate,
} = taxRates

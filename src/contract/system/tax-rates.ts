import { enums, type Infer, integer, object, optional, string, type } from 'superstruct'
import { type TaxRateClass, taxRateClasses } from '#domain/platform/tax-rate.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Day, shortText, WholeNumber } from '../shapes/primitives.ts'
import { administrators, expectedVersion, listQuery, writeProblems } from '../shapes/staff-call.ts'
import { platformResource, resourceFileCalls } from './platform-resource.ts'

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
const taxRates = platformResource({
  base: '/api/admin/taxes',
  query: object({ ...listQuery, type: optional(enums(classes)) }),
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

export const { exportFile: exportTaxRates, importFile: importTaxRates } = resourceFileCalls('/api/admin/taxes')

/** The tax on $100.00 of goods, on $100.00 of downloads and on $10.00 of shipping to an address, as a checkout is taxed. */
export const quoteTax = call({
  method: 'POST',
  path: '/api/admin/taxes/quote',
  who: administrators,
  body: object({ state: shortText(20), zip: shortText(20) }),
  answer: type({ goodsCents: Cents, digitalCents: Cents, shippingCents: Cents }),
  problems: writeProblems,
})

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/tax-rates.ts'
import {
  type TaxAddress,
  type TaxRateClass,
  type TaxRateDraft,
  taxAddressRules,
  taxRateRules,
} from '#domain/platform/tax-rate.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import type { Deps } from '../deps.ts'
import { dateColumn, textColumn } from '../file-responses/table-files.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'
import { dayOfCell, hundredthsOfCell, type ResourceFile, resourceFileHandlers } from './resource-files.ts'

const taxRates: PlatformResource<TaxRateDraft> = {
  table: 'tax_rates',
  noun: 'tax-rate',
  columns: sql`
    r.id, r.region, r.postal_prefix as "postalPrefix", r.tax_class as "taxClass", r.rate_millionths as "rateMillionths",
    to_char(r.valid_from, 'YYYY-MM-DD') as "validFrom", r.version`,
  name: sql`concat_ws(' ', r.region, nullif(r.postal_prefix, ''))`,
  sorts: {
    place: sql`(r.region, r.postal_prefix, r.tax_class, r.valid_from)`,
    rate: sql`r.rate_millionths`,
    from: sql`r.valid_from`,
  },
  rules: taxRateRules,
  valuesOf: ({ region, postalPrefix, taxClass, rateMillionths, validFrom }) => ({
    region: region.trim().toUpperCase(),
    postal_prefix: postalPrefix.trim(),
    tax_class: taxClass,
    rate_millionths: rateMillionths,
    valid_from: validFrom,
  }),
  types: {
    standard: sql`r.tax_class = 'standard'`,
    digital: sql`r.tax_class = 'digital'`,
    shipping: sql`r.tax_class = 'shipping'`,
  },
  unique: {
    columns: ['region', 'postal_prefix', 'tax_class', 'valid_from'],
    message: 'There is already a rate for this place from this day on',
  },
}

const taxRateFile: ResourceFile<TaxRateDraft> = {
  title: 'Tax rates',
  columns: [
    textColumn('region', 'State'),
    textColumn('postalPrefix', 'ZIP codes that start with'),
    textColumn('taxClass', 'For'),
    { key: 'rateMillionths', heading: 'Rate', type: 'percent' },
    dateColumn('validFrom', 'From'),
  ],
  rows: sql`
    select region, postal_prefix as "postalPrefix", tax_class as "taxClass", rate_millionths as "rateMillionths",
           to_char(valid_from, 'YYYY-MM-DD') as "validFrom"
      from tax_rates order by region, postal_prefix, tax_class, valid_from`,
  toDraft: ({ region = '', postalPrefix = '', taxClass = '', rateMillionths = '', validFrom = '' }) => ({
    ...{ region: region.toUpperCase(), postalPrefix, validFrom: dayOfCell(validFrom) },
    taxClass: taxClass as TaxRateClass, // the rules check it
    rateMillionths: Math.round(hundredthsOfCell(rateMillionths.replace(/%$/, '')) * 1e4) / 100,
  }),
}

/** The tax of an address, by the table or by the service that checkouts use. */
const quote = async (deps: Deps, { state, zip }: TaxAddress) => {
  const fields = validate({ state, zip }, taxAddressRules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const request = { studioId: null, checkoutId: null, state, zip, at: deps.clock() }
  const goods = [{ taxClass: 'standard', cents: 10_000 }]
  const digital = [{ taxClass: 'digital', cents: 10_000 }]
  const [{ goodsCents, shippingCents }, digitalTaxed] = await Promise.all([
    deps.tax.quote({ ...request, goods, shippingCents: 1000 }),
    deps.tax.quote({ ...request, goods: digital, shippingCents: 0 }),
  ])
  return { goodsCents, shippingCents, digitalCents: digitalTaxed.goodsCents }
}

/** Mounts the calls for the rates by which the product taxes orders itself (`TAX=table`). */
export const mountTaxRates = (app: FastifyInstance, deps: Deps): void => {
  const { list, get, post, put, remove } = resourceHandlers<calls.TaxRate, TaxRateDraft>(deps, taxRates)
  mount(app, deps, calls.listTaxRates, list)
  mount(app, deps, calls.getTaxRate, get)
  mount(app, deps, calls.postTaxRate, post)
  mount(app, deps, calls.putTaxRate, put)
  mount(app, deps, calls.deleteTaxRate, remove)
  const { exportFile, importFile } = resourceFileHandlers(deps, taxRates, taxRateFile)
  mount(app, deps, calls.exportTaxRates, exportFile)
  mount(app, deps, calls.importTaxRates, importFile)
  mount(app, deps, calls.quoteTax, ({ body }) => quote(deps, body))
}

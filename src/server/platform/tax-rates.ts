import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/tax-rates.ts'
import { type TaxRateDraft, taxRateRules } from '#domain/studio/tax-rate.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

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
  unique: {
    columns: ['region', 'postal_prefix', 'tax_class', 'valid_from'],
    message: 'There is already a rate for this place from this day on',
  },
}

/** Mounts the calls for the rates by which the product taxes orders itself (`TAX=table`). */
export const mountTaxRates = (app: FastifyInstance, deps: Deps): void => {
  const { list, get, post, put, remove } = resourceHandlers<calls.TaxRate, TaxRateDraft>(deps, taxRates)
  mount(app, deps, calls.listTaxRates, list)
  mount(app, deps, calls.getTaxRate, get)
  mount(app, deps, calls.postTaxRate, post)
  mount(app, deps, calls.putTaxRate, put)
  mount(app, deps, calls.deleteTaxRate, remove)
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/shipping-options.ts'
import {
  type ShippingOptionDraft,
  shippingOptionMessages,
  shippingOptionRules,
} from '#domain/platform/shipping-option.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

const shippingOptions: PlatformResource<ShippingOptionDraft> = {
  table: 'shipping_options',
  noun: 'shipping-option',
  columns: sql`
    r.id, r.code, r.label, r.description, r.ships_to as "shipsTo", r.price_cents as "priceCents",
    r.each_more_cents as "eachMoreCents", r.position, r.archived_at is not null as "isArchived", r.version`,
  name: sql`concat_ws(' ', r.label, r.code)`,
  sorts: { position: sql`r.position`, name: sql`lower(r.label)`, price: sql`r.price_cents` },
  rules: shippingOptionRules,
  valuesOf: ({ code, label, description, shipsTo, priceCents, eachMoreCents, position }) => ({
    ...{ code: code.trim(), label: label.trim(), description: description.trim(), ships_to: shipsTo, position },
    ...{ price_cents: priceCents, each_more_cents: eachMoreCents },
  }),
  isUsed: sql<boolean>`exists (select from orders o where o.shipping_option_code = r.code)`,
  unique: { columns: ['code'], field: 'code', message: shippingOptionMessages.codeTaken },
  fixedWhileUsed: { column: 'code', field: 'code', message: shippingOptionMessages.codeInUse },
}

/** Mounts the calls for the ways to ship orders, which all studios' checkouts offer. */
export const mountShippingOptions = (app: FastifyInstance, deps: Deps): void => {
  const handlers = resourceHandlers<calls.PlatformShippingOption, ShippingOptionDraft>(deps, shippingOptions)
  mount(app, deps, calls.listShippingOptions, handlers.list)
  mount(app, deps, calls.getShippingOption, handlers.get)
  mount(app, deps, calls.postShippingOption, handlers.post)
  mount(app, deps, calls.putShippingOption, handlers.put)
  mount(app, deps, calls.deleteShippingOption, handlers.remove)
}

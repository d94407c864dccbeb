import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/order-services.ts'
import {
  type OrderServiceDraft,
  orderServiceMessages,
  orderServiceRules,
} from '#domain/platform/order-service-draft.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

const orderServices: PlatformResource<OrderServiceDraft> = {
  table: 'order_services',
  noun: 'order-service',
  columns: sql`
    r.id, r.kind, r.name, r.description, r.level, r.price_cents as "priceCents", r.position,
    (select count(*) from job_order_services j where j.order_service_id = r.id and j.is_enabled) as "jobCount",
    r.archived_at is not null as "isArchived", r.version`,
  name: sql`r.name`,
  sorts: { position: sql`r.position`, name: sql`lower(r.name)`, price: sql`r.price_cents`, jobs: sql`"jobCount"` },
  rules: orderServiceRules,
  valuesOf: ({ kind, name, description, level, priceCents, position }) => ({
    ...{ kind, name: name.trim(), description: description.trim(), level, price_cents: priceCents, position },
  }),
  isUsed: sql<boolean>`(
    exists (select from job_order_services j where j.order_service_id = r.id)
    or exists (select from cart_order_services c where c.order_service_id = r.id)
    or exists (select from order_lines l where l.order_service_id = r.id))`,
  types: {
    retouch: sql`r.kind = 'retouch'`,
    personalization: sql`r.kind = 'personalization'`,
    service: sql`r.kind = 'service'`,
  },
  unique: { columns: ['name'], field: 'name', message: orderServiceMessages.nameTaken },
  fixedWhileUsed: { column: 'kind', field: 'kind', message: orderServiceMessages.kindInUse },
}

/** Mounts the calls for the services that jobs of all studios can offer. */
export const mountOrderServices = (app: FastifyInstance, deps: Deps): void => {
  const handlers = resourceHandlers<calls.PlatformOrderService, OrderServiceDraft>(deps, orderServices)
  mount(app, deps, calls.listPlatformOrderServices, handlers.list)
  mount(app, deps, calls.getPlatformOrderService, handlers.get)
  mount(app, deps, calls.postPlatformOrderService, handlers.post)
  mount(app, deps, calls.putPlatformOrderService, handlers.put)
  mount(app, deps, calls.deletePlatformOrderService, handlers.remove)
}

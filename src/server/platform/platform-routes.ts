import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listStudios, type StudioRow } from '#contract/system/studios.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { mountDefinedFields } from './defined-fields.ts'
import { mountAuditEntries } from './logs/audit-entries.ts'
import { mountOrderServices } from './order-services.ts'
import { mountPlatformFeatures } from './platform-features.ts'
import { mountPlatformProducts } from './platform-products.ts'
import { mountPlatformWorkflows } from './platform-workflows.ts'
import { mountShippingOptions } from './shipping-options.ts'
import { mountTaxRates } from './tax-rates.ts'

const columns = sql`
  s.id, s.slug, s.name, s.is_millers_verified as "isMillersVerified", s.rspo_enabled as "rspoEnabled",
  (select count(*) from jobs j where j.studio_id = s.id) as "jobCount"`

const sorts = { name: sql`lower(s.name)`, slug: sql`s.slug`, jobs: sql`"jobCount"` }

/** Reads the platform's studios whose name or slug contains the filter. */
const readStudios = async (
  db: Db,
  query: PageQuery & { sort?: string | undefined },
): Promise<StudioRow[] | Page<StudioRow>> => {
  const pattern = likePattern(query.filter?.trim() ?? '')
  const from = sql`from studios s where s.name ilike ${pattern} or s.slug ilike ${pattern}`
  return await paginateQuery<StudioRow>(db, { columns, from, order: orderBy(sorts, query.sort, sql`s.id`) }, query)
}

/** Mounts the routes for administrators of the platform (section 2, system admin). */
export const mountPlatform = (app: FastifyInstance, deps: Deps): void => {
  mountPlatformWorkflows(app, deps)
  mountTaxRates(app, deps)
  mountShippingOptions(app, deps)
  mountDefinedFields(app, deps)
  mountPlatformProducts(app, deps)
  mountOrderServices(app, deps)
  mountPlatformFeatures(app, deps)
  mountAuditEntries(app, deps)
  mount(app, deps, listStudios, ({ query }) => readStudios(deps.db, query))
}

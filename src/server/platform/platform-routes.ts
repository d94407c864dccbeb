import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { mountConfiguration } from './configuration/configuration-routes.ts'
import { mountDefinedFields } from './defined-fields.ts'
import { mountAuditEntries } from './logs/audit-entries.ts'
import { mountCallLogs } from './logs/call-logs.ts'
import type { TaxOfCheckout } from './logs/repeat-tax-call.ts'
import { mountOrderServices } from './order-services.ts'
import { mountPlatformFeatures } from './platform-features.ts'
import { mountPlatformProducts } from './platform-products.ts'
import { mountPlatformStudios } from './platform-studios.ts'
import { mountPlatformWorkflows } from './platform-workflows.ts'
import { mountShippingOptions } from './shipping-options.ts'
import { mountStudioDecisions } from './studio-decisions.ts'
import { mountTaxRates } from './tax-rates.ts'
import { mountWatermarks } from './watermarks.ts'

/** Mounts the routes for administrators of the platform (section 2, system admin). */
export const mountPlatform = async (app: FastifyInstance, deps: Deps, checkout: TaxOfCheckout): Promise<void> => {
  await mountWatermarks(app, deps)
  mountPlatformWorkflows(app, deps)
  mountTaxRates(app, deps)
  mountShippingOptions(app, deps)
  mountDefinedFields(app, deps)
  await mountPlatformProducts(app, deps)
  mountOrderServices(app, deps)
  mountPlatformFeatures(app, deps)
  mountAuditEntries(app, deps)
  mountPlatformStudios(app, deps)
  mountStudioDecisions(app, deps)
  mountCallLogs(app, deps, checkout)
  mountConfiguration(app, deps)
}

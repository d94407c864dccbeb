import * as addresses from './customer/address-calls.ts'
import * as cart from './customer/cart-calls.ts'
import * as checkout from './customer/checkout-calls.ts'
import * as discovery from './customer/discovery-calls.ts'
import * as downloads from './customer/download-calls.ts'
import * as eventSearch from './customer/find-event.ts'
import * as subjectSearch from './customer/find-subjects.ts'
import * as handOver from './customer/hand-over.ts'
import * as offers from './customer/job-offers.ts'
import * as orderAdjustments from './customer/order-adjustment-calls.ts'
import * as orders from './customer/order-calls.ts'
import * as imageChoice from './customer/order-image-choice.ts'
import * as lists from './customer/paged-lists.ts'
import * as promotions from './customer/promotion-codes.ts'
import * as reminders from './customer/reminder-calls.ts'
import * as session from './customer/session-calls.ts'
import * as shares from './customer/share-calls.ts'
import * as sharedImages from './customer/shared-images.ts'
import * as unsubscribing from './customer/unsubscribe.ts'
import type { AnyCall } from './shapes/call.ts'
import * as accounts from './studio/accounts.ts'
import * as batches from './studio/batches.ts'
import * as apiTokens from './studio/developers/api-tokens.ts'
import * as webhooks from './studio/developers/webhooks.ts'
import * as greenScreens from './studio/green-screens.ts'
import * as groups from './studio/groups.ts'
import * as hosts from './studio/hosts.ts'
import * as images from './studio/images/image-lookups.ts'
import * as imageMatching from './studio/images/image-matching.ts'
import * as imageReplacement from './studio/images/image-replacement.ts'
import * as imports from './studio/imports.ts'
import * as jobSettings from './studio/job-settings.ts'
import * as jobs from './studio/jobs.ts'
import * as staffOrders from './studio/order-actions.ts'
import * as orderPage from './studio/order-details.ts'
import * as orderEntry from './studio/order-entry.ts'
import * as orderLists from './studio/order-lists.ts'
import * as organizations from './studio/organizations.ts'
import * as packageSets from './studio/package-sets.ts'
import * as packets from './studio/packets.ts'
import * as commissions from './studio/payments/commissions.ts'
import * as paymentSummary from './studio/payments/payment-summary.ts'
import * as payouts from './studio/payments/payouts.ts'
import * as imageExports from './studio/portraits/image-exports.ts'
import * as yearBook from './studio/portraits/year-book.ts'
import * as products from './studio/products.ts'
import * as staffPromotions from './studio/promotions/promotions.ts'
import * as singleUseCodes from './studio/promotions/single-use-codes.ts'
import * as rosters from './studio/roster.ts'
import * as savedReports from './studio/saved-reports.ts'
import * as shoots from './studio/shoots.ts'
import * as studio from './studio/studio.ts'
import * as studioExport from './studio/studio-export.ts'
import * as subjects from './studio/subjects.ts'
import * as supportAccess from './studio/support-access.ts'
import * as uploads from './studio/uploads.ts'
import * as workflows from './studio/workflows.ts'
import * as auditEntries from './system/audit-entries.ts'
import * as auth from './system/auth.ts'
import * as callLogs from './system/call-logs.ts'
import * as configuration from './system/configuration.ts'
import * as definedFields from './system/defined-fields.ts'
import * as galleriesProcessing from './system/galleries-processing.ts'
import * as health from './system/health.ts'
import * as maintenanceNotice from './system/maintenance-notice.ts'
import * as orderErrors from './system/order-errors.ts'
import * as orderServicesOfPlatform from './system/order-services.ts'
import * as platformFeatures from './system/platform-features.ts'
import * as platformHome from './system/platform-home.ts'
import * as platformProducts from './system/platform-products.ts'
import * as platformUsers from './system/platform-users.ts'
import * as platformWorkflows from './system/platform-workflows.ts'
import * as reportFiles from './system/report-files.ts'
import * as reports from './system/reports.ts'
import * as shippingOptions from './system/shipping-options.ts'
import * as studios from './system/studios.ts'
import * as ownSupportAccess from './system/support-access.ts'
import * as taxRates from './system/tax-rates.ts'
import * as twoFactor from './system/two-factor.ts'
import * as watermarks from './system/watermarks.ts'

/** The exports of a module that are calls. */
type CallsOf<Module> = {
  readonly [Name in keyof Module as Module[Name] extends AnyCall ? Name : never]: Module[Name]
}

const isCall = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

const callsOf = <Module extends object>(module: Module): CallsOf<Module> =>
  Object.fromEntries(Object.entries(module).filter(([, value]) => isCall(value))) as CallsOf<Module> // the type filters the same exports

// A customer call has the same name and reads another view of a studio.
const { getStudio: getStudioDetails, ...studioCalls } = callsOf(studio)

/** All calls of the API, by the names of their exports. The server mounts exactly these; tests iterate over them. */
export const allCalls = {
  ...callsOf(cart),
  ...callsOf(session),
  ...callsOf(checkout),
  ...callsOf(orders),
  ...callsOf(discovery),
  ...callsOf(downloads),
  ...callsOf(eventSearch),
  ...callsOf(subjectSearch),
  ...callsOf(handOver),
  ...callsOf(offers),
  ...callsOf(orderAdjustments),
  ...callsOf(imageChoice),
  ...callsOf(promotions),
  ...callsOf(reminders),
  ...callsOf(shares),
  ...callsOf(sharedImages),
  ...callsOf(unsubscribing),
  ...callsOf(addresses),
  ...callsOf(accounts),
  ...callsOf(batches),
  ...callsOf(commissions),
  ...callsOf(apiTokens),
  ...callsOf(webhooks),
  ...callsOf(greenScreens),
  ...callsOf(groups),
  ...callsOf(hosts),
  ...callsOf(imageExports),
  ...callsOf(images),
  ...callsOf(imageMatching),
  ...callsOf(imageReplacement),
  ...callsOf(imports),
  ...callsOf(jobSettings),
  ...callsOf(jobs),
  ...callsOf(staffOrders),
  ...callsOf(orderPage),
  ...callsOf(orderEntry),
  ...callsOf(orderLists),
  ...callsOf(organizations),
  ...callsOf(packageSets),
  ...callsOf(packets),
  ...callsOf(paymentSummary),
  ...callsOf(payouts),
  ...callsOf(products),
  ...callsOf(staffPromotions),
  ...callsOf(singleUseCodes),
  ...callsOf(rosters),
  ...callsOf(savedReports),
  ...callsOf(shoots),
  ...studioCalls,
  getStudioDetails,
  ...callsOf(studioExport),
  ...callsOf(subjects),
  ...callsOf(supportAccess),
  ...callsOf(uploads),
  ...callsOf(workflows),
  ...callsOf(yearBook),
  ...callsOf(auth),
  ...callsOf(twoFactor),
  ...callsOf(health),
  ...callsOf(galleriesProcessing),
  ...callsOf(orderErrors),
  ...callsOf(orderServicesOfPlatform),
  ...callsOf(platformProducts),
  ...callsOf(definedFields),
  ...callsOf(platformFeatures),
  ...callsOf(platformWorkflows),
  ...callsOf(reportFiles),
  ...callsOf(reports),
  ...callsOf(shippingOptions),
  ...callsOf(studios),
  ...callsOf(ownSupportAccess),
  ...callsOf(platformHome),
  ...callsOf(configuration),
  ...callsOf(maintenanceNotice),
  ...callsOf(auditEntries),
  ...callsOf(platformUsers),
  ...callsOf(callLogs),
  ...callsOf(taxRates),
  ...callsOf(watermarks),
  ...callsOf(lists),
} as const

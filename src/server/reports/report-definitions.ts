import type { PlatformReport, StudioReport } from '#domain/studio/reports.ts'
import { organizationCommissions } from './definitions/commission-report.ts'
import { platformOrders, unfinished } from './definitions/order-reports.ts'
import { payments, platformFees, platformRefunds, refunds, revenue } from './definitions/payment-reports.ts'
import { salesByJob, salesByPackage, salesByProduct, salesByPromotion } from './definitions/sales-reports.ts'
import { subjects, yearbook } from './definitions/subject-reports.ts'
import { platformTaxes, taxes } from './definitions/tax-reports.ts'
import type { ReportDefinition } from './report-scope.ts'

export const studioDefinitions = {
  payments,
  'sales-by-job': salesByJob,
  'sales-by-package': salesByPackage,
  'sales-by-product': salesByProduct,
  'sales-by-promotion': salesByPromotion,
  refunds,
  taxes,
  commissions: organizationCommissions,
  unfinished,
  subjects,
  yearbook,
} as const satisfies Record<StudioReport, ReportDefinition>

export const platformDefinitions = {
  orders: platformOrders,
  taxes: platformTaxes,
  revenue,
  commissions: platformFees,
  refunds: platformRefunds,
} as const satisfies Record<PlatformReport, ReportDefinition>

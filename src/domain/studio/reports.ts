/** The columns of a report that its filter can search in. */
export const reportFilterTypes = ['orderNumber', 'customer', 'job', 'organization', 'paymentState'] as const
export type ReportFilterType = (typeof reportFilterTypes)[number]

export const reportFilterNames: Record<ReportFilterType, string> = {
  orderNumber: 'Order number',
  customer: 'Customer',
  job: 'Job',
  organization: 'Organization',
  paymentState: 'Payment state',
}

/** The states of a payment or refund; reports contain only settled ones unless the filter names another state. */
export const paymentStates = { settled: 'done', pending: 'pending', failed: 'failed' } as const
export type PaymentState = keyof typeof paymentStates

export const isPaymentState = (text: string): text is PaymentState => Object.hasOwn(paymentStates, text)

export type ReportDescription = {
  readonly title: string
  /** One sentence that says what the amounts and dates of the report mean. */
  readonly lead: string
  readonly filterTypes: readonly ReportFilterType[]
  /** Without days, the report describes the present. */
  readonly hasDays: boolean
  /** The period that the screen shows first; this month if there is none. */
  readonly defaultPeriod?: 'all'
  readonly job: 'required' | 'optional'
}

const orderFilters = ['orderNumber', 'customer', 'job', 'organization'] as const
/** The first one is that of the screen: a row of these reports is about many orders. */
const groupFilters = ['job', 'organization', 'customer', 'orderNumber'] as const

const settledNote = 'Each amount counts on the day it settled.'
const shareNote = 'Charges and refunds are split across the items now in the order, and count on the day they settled.'

/** The reports of a studio, in the order of the screen. */
export const studioReports = {
  payments: {
    title: 'Payments',
    lead: `Every charge and refund, with cash and checks in columns of their own. ${settledNote}`,
    filterTypes: reportFilterTypes,
    hasDays: true,
    job: 'optional',
  },
  'sales-by-job': {
    title: 'Sales by job',
    lead: shareNote,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  'sales-by-package': {
    title: 'Sales by package',
    lead: shareNote,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  'sales-by-product': {
    title: 'Sales by product',
    lead: `The price of a package is split evenly across its items. ${shareNote}`,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  'sales-by-promotion': {
    title: 'Sales by promotion',
    lead: shareNote,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  refunds: {
    title: 'Refunds',
    lead: `Every refund with its reason. ${settledNote}`,
    filterTypes: reportFilterTypes,
    hasDays: true,
    job: 'optional',
  },
  taxes: {
    title: 'Taxes',
    lead: `Sales tax by state and rate, net of refunded tax. ${settledNote}`,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  commissions: {
    title: 'Commissions',
    lead: 'The shares that organizations get of their orders, less those of refunds. Each counts on the day it settled, and appears within an hour.',
    filterTypes: orderFilters,
    hasDays: true,
    job: 'optional',
  },
  unfinished: {
    title: 'Unfinished orders',
    lead: 'Paid orders that are neither shipped nor cancelled, the oldest first.',
    filterTypes: orderFilters,
    hasDays: true,
    defaultPeriod: 'all',
    job: 'optional',
  },
  subjects: {
    title: 'Subjects',
    lead: 'Everyone in the job, who ordered, and how much. The dates limit the amounts, not who is listed.',
    filterTypes: [],
    hasDays: true,
    defaultPeriod: 'all',
    job: 'required',
  },
  yearbook: {
    title: 'Yearbook',
    lead: 'The pose that each person chose for the yearbook, and who has not chosen.',
    filterTypes: [],
    hasDays: false,
    job: 'required',
  },
} as const satisfies Record<string, ReportDescription>
export type StudioReport = keyof typeof studioReports
export const studioReportNames = Object.keys(studioReports) as StudioReport[] // the keys of the table above

/** The reports of the platform, over all studios, each in its own time zone. */
export const platformReports = {
  orders: {
    title: 'Orders',
    lead: 'Every order by the day it was placed, with what was paid and refunded until now.',
    filterTypes: orderFilters,
    hasDays: true,
    job: 'optional',
  },
  taxes: { ...studioReports.taxes, job: 'optional' },
  revenue: {
    title: 'Revenue',
    lead: `Charges, refunds and the platform’s fee of each studio. ${settledNote}`,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  commissions: {
    title: 'Platform fees',
    lead: `The platform’s fee of each charge, less what was returned with refunds. ${settledNote}`,
    filterTypes: groupFilters,
    hasDays: true,
    job: 'optional',
  },
  refunds: { ...studioReports.refunds, job: 'optional' },
} as const satisfies Record<string, ReportDescription>
export type PlatformReport = keyof typeof platformReports
export const platformReportNames = Object.keys(platformReports) as PlatformReport[] // the keys of the table above

/** What a column of a report contains; `percent` is in millionths. */
export const reportColumnTypes = ['text', 'date', 'money', 'count', 'percent'] as const
export type ReportColumnType = (typeof reportColumnTypes)[number]

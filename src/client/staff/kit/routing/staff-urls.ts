import type { OrderView } from '#domain/orders/order-states.ts'

/** Path parameters of a job's screens. With `organizationId`, the path is below the organization. */
export type JobParams = { studioId: number; jobId: number; organizationId?: number | undefined }

const studioPattern = '/admin/studios/:studioId'
const jobBasePatterns = [
  `${studioPattern}/jobs/:jobId`,
  `${studioPattern}/organizations/:organizationId/jobs/:jobId`,
] as const

/** Route patterns of a job's screens, in wouter's notation: each tail with and without the organization. */
export const jobPatterns = (...tails: readonly string[]): string[] =>
  jobBasePatterns.flatMap((base) => tails.map((tail) => (tail === '' ? base : `${base}/${tail}`)))

/** Route patterns of the studio's screens. */
export const studioPatterns = (...tails: readonly string[]): string[] =>
  tails.map((tail) => (tail === '' ? studioPattern : `${studioPattern}/${tail}`))

const joinPath = (base: string, tail: string) => (tail === '' ? base : `${base}/${tail}`)

/** Builds staff URLs. A `tail` is the path below `/admin`, the studio or the job (`settings/general`). */
export const staffUrls = {
  admin: (tail = '') => joinPath('/admin', tail),
  forgotPassword: () => '/forgot-password',
  setup: (accountNumber?: string) => joinPath('/setup', accountNumber ? encodeURIComponent(accountNumber) : ''),
  studio: (studioId: number, tail = '') => joinPath(`/admin/studios/${studioId}`, tail),
  job: ({ studioId, jobId, organizationId }: JobParams, tail = '') =>
    joinPath(
      organizationId === undefined
        ? `/admin/studios/${studioId}/jobs/${jobId}`
        : `/admin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}`,
      tail,
    ),
} as const

/** URL of an order view. */
export const ordersUrl = (job: JobParams, view: OrderView): string =>
  staffUrls.job(job, view === 'prepay' ? 'orders' : `orders/${view}`)
export const orderUrl = (job: JobParams, orderNumber: string): string =>
  staffUrls.job(job, `orders/order/${orderNumber}`)
export const batchUrl = (job: JobParams, batchId: number): string => staffUrls.job(job, `orders/batch/${batchId}`)
export const rosterUrl = (job: JobParams): string => staffUrls.job(job, 'orders/print')

/** URL of a job's subject list. */
export const subjectsUrl = (job: JobParams): string => staffUrls.job(job, 'subjects')
export const groupsUrl = (job: JobParams): string => staffUrls.job(job, 'subjects/groups')
export const subjectUrl = (job: JobParams, subjectId: number): string => staffUrls.job(job, `subjects/${subjectId}`)

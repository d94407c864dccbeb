/** A job in the address; below its organization if `organizationId` is set. */
export type JobParams = { studioId: number; jobId: number; organizationId?: number | undefined }

const studio = '/admin/studios/:studioId'
const jobs = [`${studio}/jobs/:jobId`, `${studio}/organizations/:organizationId/jobs/:jobId`] as const

/** Route patterns of the job editor, in wouter's notation: each tail with and without the organization. */
export const jobPatterns = (...tails: readonly string[]): string[] =>
  jobs.flatMap((base) => tails.map((tail) => (tail === '' ? base : `${base}/${tail}`)))

/** Route patterns of the studio's screens. */
export const studioPatterns = (...tails: readonly string[]): string[] =>
  tails.map((tail) => (tail === '' ? studio : `${studio}/${tail}`))

const under = (base: string, tail: string) => (tail === '' ? base : `${base}/${tail}`)

/** Builds staff addresses; a `tail` is the path below the studio or the job (`settings/general`). */
export const staffUrls = {
  admin: () => '/admin',
  forgotPassword: () => '/forgot-password',
  setup: (accountNumber?: string) => under('/setup', accountNumber ? encodeURIComponent(accountNumber) : ''),
  studio: (studioId: number, tail = '') => under(`/admin/studios/${studioId}`, tail),
  job: ({ studioId, jobId, organizationId }: JobParams, tail = '') =>
    under(
      organizationId === undefined
        ? `/admin/studios/${studioId}/jobs/${jobId}`
        : `/admin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}`,
      tail,
    ),
} as const

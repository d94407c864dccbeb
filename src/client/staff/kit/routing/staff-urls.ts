/** Where a job is edited: also under its organization, when somebody came that way. */
export type JobParams = { studioId: number; jobId: number; organizationId?: number | undefined }

const studio = '/admin/studios/:studioId'
const jobs = [`${studio}/jobs/:jobId`, `${studio}/organizations/:organizationId/jobs/:jobId`] as const

/** The addresses of a screen of the job editor, in wouter's notation: each tail under both ways to a job. */
export const jobPatterns = (...tails: readonly string[]): string[] =>
  jobs.flatMap((base) => tails.map((tail) => (tail === '' ? base : `${base}/${tail}`)))

/** The addresses of a screen of the studio admin. */
export const studioPatterns = (...tails: readonly string[]): string[] =>
  tails.map((tail) => (tail === '' ? studio : `${studio}/${tail}`))

const under = (base: string, tail: string) => (tail === '' ? base : `${base}/${tail}`)

/** Makes the addresses of staff's screens; a `tail` is what stands behind the studio or the job (`settings/general`). */
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

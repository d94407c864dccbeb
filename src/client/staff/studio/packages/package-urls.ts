import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** Where package sets are shown: in the studio's admin or in a job. */
export type PackageUrlParams = { studioId: number; job?: JobParams | undefined }

/** Address of a set, in the studio or the job. */
export const packageSetUrl = ({ studioId, job }: PackageUrlParams, packageSetId: number): string =>
  job
    ? staffUrls.job(job, `package-sets/${packageSetId}`)
    : staffUrls.studio(studioId, `pkg-set-mgmt/${packageSetId}/packages`)

/** Address of a package's editor; `new` creates a package. */
export const packageUrl = (from: PackageUrlParams, packageSetId: number, id: number | 'new'): string =>
  from.job ? `${packageSetUrl(from, packageSetId)}/packages/${id}` : `${packageSetUrl(from, packageSetId)}/${id}`

/** Breadcrumb of the list above a set. */
export const packageSetsBreadcrumb = ({ studioId, job }: PackageUrlParams) =>
  job
    ? { label: 'Packages', href: staffUrls.job(job, 'packages') }
    : { label: 'Package sets', href: staffUrls.studio(studioId, 'pkg-set-mgmt') }

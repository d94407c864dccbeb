import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** Where package sets are looked at: in the studio's own admin, or in one of its jobs. */
export type PackageUrlParams = { studioId: number; job?: JobParams | undefined }

/** The screen of a set, by the way somebody came. */
export const packageSetUrl = ({ studioId, job }: PackageUrlParams, packageSetId: number): string =>
  job
    ? staffUrls.job(job, `package-sets/${packageSetId}`)
    : staffUrls.studio(studioId, `pkg-set-mgmt/${packageSetId}/packages`)

/** The editor of one of its packages; `new` makes one. */
export const packageUrl = (from: PackageUrlParams, packageSetId: number, id: number | 'new'): string =>
  from.job ? `${packageSetUrl(from, packageSetId)}/packages/${id}` : `${packageSetUrl(from, packageSetId)}/${id}`

/** The list above a set. */
export const packageSetsBreadcrumb = ({ studioId, job }: PackageUrlParams) =>
  job
    ? { label: 'Packages', href: staffUrls.job(job, 'packages') }
    : { label: 'Package sets', href: staffUrls.studio(studioId, 'pkg-set-mgmt') }

import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** Parameters of package URLs. With `job` they are below the job, otherwise below the studio. */
export type PackageUrlParams = { studioId: number; job?: JobParams | undefined }

/** URL of a package set. */
export const packageSetUrl = ({ studioId, job }: PackageUrlParams, packageSetId: number): string =>
  job
    ? staffUrls.job(job, `package-sets/${packageSetId}`)
    : staffUrls.studio(studioId, `pkg-set-mgmt/${packageSetId}/packages`)

/** URL of a package's editor; `new` creates a package. */
export const packageUrl = (params: PackageUrlParams, packageSetId: number, id: number | 'new'): string =>
  params.job ? `${packageSetUrl(params, packageSetId)}/packages/${id}` : `${packageSetUrl(params, packageSetId)}/${id}`

/** Breadcrumb to the list that contains a package set. */
export const packageSetsBreadcrumb = ({ studioId, job }: PackageUrlParams) =>
  job
    ? { label: 'Packages', href: staffUrls.job(job, 'packages') }
    : { label: 'Package sets', href: staffUrls.studio(studioId, 'pkg-set-mgmt') }

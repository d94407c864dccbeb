import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'

/** Where package sets are looked at: in the studio's own admin, or in one of its jobs. */
export type From = { studioId: number; job?: JobPlace | undefined }

/** The screen of a set, by the way somebody came. */
export const setUrl = ({ studioId, job }: From, packageSetId: number): string =>
  job
    ? staffUrls.job(job, `package-sets/${packageSetId}`)
    : staffUrls.studio(studioId, `pkg-set-mgmt/${packageSetId}/packages`)

/** The editor of one of its packages; `new` makes one. */
export const packageUrl = (from: From, packageSetId: number, id: number | 'new'): string =>
  from.job ? `${setUrl(from, packageSetId)}/packages/${id}` : `${setUrl(from, packageSetId)}/${id}`

/** The list above a set. */
export const setsCrumb = ({ studioId, job }: From) =>
  job
    ? { label: 'Packages', href: staffUrls.job(job, 'packages') }
    : { label: 'Package sets', href: staffUrls.studio(studioId, 'pkg-set-mgmt') }

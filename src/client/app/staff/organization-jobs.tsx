import { JobsList } from '#client/staff/studio/jobs/jobs-list.tsx'
import { OrganizationEditor } from '#client/staff/studio/organizations/organization-layout.tsx'
import type { OrganizationPlace } from '#client/staff/studio/organizations/organization-params.ts'

/** An organization's jobs that parents order from before the picture day. */
export const OrganizationPrepay = (place: OrganizationPlace) => (
  <OrganizationEditor {...place} tab="prepay">
    <JobsList kind="prepay" organizationId={place.organizationId} />
  </OrganizationEditor>
)

/** An organization's jobs whose pictures parents choose from. */
export const OrganizationGallery = (place: OrganizationPlace) => (
  <OrganizationEditor {...place} tab="gallery">
    <JobsList kind="galleries" organizationId={place.organizationId} />
  </OrganizationEditor>
)

/** Every job of an organization. */
export const OrganizationJobs = (place: OrganizationPlace) => (
  <OrganizationEditor {...place} tab="jobs">
    <JobsList kind="all" organizationId={place.organizationId} />
  </OrganizationEditor>
)

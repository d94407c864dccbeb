import { JobsList } from '#client/staff/studio/jobs/jobs-list.tsx'
import { OrganizationLayout } from '#client/staff/studio/organizations/organization-layout.tsx'
import type { OrganizationParams } from '#client/staff/studio/organizations/organization-params.ts'

/** An organization's prepay jobs. */
export const OrganizationPrepay = (place: OrganizationParams) => (
  <OrganizationLayout {...place} tab="prepay">
    <JobsList kind="prepay" organizationId={place.organizationId} />
  </OrganizationLayout>
)

/** An organization's gallery jobs. */
export const OrganizationGallery = (place: OrganizationParams) => (
  <OrganizationLayout {...place} tab="gallery">
    <JobsList kind="galleries" organizationId={place.organizationId} />
  </OrganizationLayout>
)

/** Every job of an organization. */
export const OrganizationJobs = (place: OrganizationParams) => (
  <OrganizationLayout {...place} tab="jobs">
    <JobsList kind="all" organizationId={place.organizationId} />
  </OrganizationLayout>
)

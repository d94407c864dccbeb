import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { JobsList } from '#client/staff/studio/jobs/jobs-list.tsx'
import { OrganizationLayout } from '#client/staff/studio/organizations/organization-layout.tsx'

/** An organization's prepay jobs. */
export const OrganizationPrepay = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="prepay">
    <JobsList kind="prepay" organizationId={params.organizationId} />
  </OrganizationLayout>
)

/** An organization's gallery jobs. */
export const OrganizationGallery = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="gallery">
    <JobsList kind="galleries" organizationId={params.organizationId} />
  </OrganizationLayout>
)

/** Every job of an organization. */
export const OrganizationJobs = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="jobs">
    <JobsList kind="all" organizationId={params.organizationId} />
  </OrganizationLayout>
)

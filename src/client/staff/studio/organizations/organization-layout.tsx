import type { ReactNode } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useSeesFinances, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getOrganization, type Organization } from '#contract/studio/organizations.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import { ArchivedOrganizationNotice } from './archived-organization-notice.tsx'
import { organizationTypeLabels } from './organization-form.tsx'

const tabs = [
  { tail: 'overview', label: 'Overview' },
  { tail: 'prepay', label: 'Prepay' },
  { tail: 'gallery', label: 'Gallery' },
  { tail: 'jobs', label: 'Jobs', feature: 'rspoJob' },
  { tail: 'commission', label: 'Commission', isForFinanceStaff: true },
] as const

export type OrganizationTab = (typeof tabs)[number]['tail']

type OrganizationLayoutProps = OrganizationParams & {
  tab: OrganizationTab
  /** Content of the tab. A function receives the organization. */
  children: ReactNode | ((organization: Organization) => ReactNode)
}

/** Layout of an organization's screens: name, tabs and content. */
export const OrganizationLayout = ({ studioId, organizationId, tab, children }: OrganizationLayoutProps) => {
  const { features } = useStudio()
  const seesFinances = useSeesFinances()
  const query = useStaffQuery(getOrganization, { params: { studioId, id: organizationId } })
  const tabUrl = (tail: string) => staffUrls.studio(studioId, `organizations/${organizationId}/${tail}`)
  const organizationsCrumb = { label: 'Organizations', href: staffUrls.studio(studioId, 'organizations') }
  const { data: organization } = query
  const name = organization?.name ?? 'Organization'
  const label = tabs.find(({ tail }) => tail === tab)?.label ?? name
  // The overview has the organization's name as its title; the other tabs have a breadcrumb to the overview.
  const titleAndTrail =
    tab === 'overview'
      ? { title: name, trail: [organizationsCrumb] }
      : { title: label, trail: [organizationsCrumb, { label: name, href: tabUrl('overview') }] }
  const links = tabs
    .filter((tabOption) => !('feature' in tabOption) || features.has(tabOption.feature))
    .filter((tabOption) => !('isForFinanceStaff' in tabOption) || seesFinances)
    .map(({ tail, label: tabLabel }) => ({ label: tabLabel, href: tabUrl(tail), current: tail === tab }))
  return (
    <StaffScreen
      {...titleAndTrail}
      lead={organization && `${organizationTypeLabels[organization.type]}${tab === 'overview' ? '' : `: ${name}`}`}
    >
      <TabLinks label={name} links={links} />
      <QueryBoundary query={query}>
        {(loadedOrganization) => (
          <div>
            {loadedOrganization.archivedAt && (
              <ArchivedOrganizationNotice studioId={studioId} organization={loadedOrganization} />
            )}
            {typeof children === 'function' ? children(loadedOrganization) : children}
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

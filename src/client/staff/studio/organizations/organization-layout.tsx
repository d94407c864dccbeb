import type { ReactNode } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getOrganization, type Organization } from '#contract/studio/organizations.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'
import { ArchivedOrganizationNotice } from './archived-organization-notice.tsx'
import type { OrganizationParams } from './organization-params.ts'
import { organizationTypeLabels } from './organization-types.ts'

const tabs = [
  { tail: 'overview', label: 'Overview' },
  { tail: 'prepay', label: 'Prepay' },
  { tail: 'gallery', label: 'Gallery' },
  { tail: 'jobs', label: 'Jobs', feature: 'rspoJob' },
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
  const query = useStaffQuery(getOrganization, { params: { studioId, id: organizationId } })
  const to = (tail: string) => staffUrls.studio(studioId, `organizations/${organizationId}/${tail}`)
  const list = { label: 'Organizations', href: staffUrls.studio(studioId, 'organizations') }
  const { data: organization } = query
  const name = organization?.name ?? 'Organization'
  const label = tabs.find(({ tail }) => tail === tab)?.label ?? name
  // The overview is the organization's own address; each other tab is below it.
  const crumbs =
    tab === 'overview'
      ? { title: name, trail: [list] }
      : { title: label, trail: [list, { label: name, href: to('overview') }] }
  const links = tabs
    .filter((one) => !('feature' in one) || features.has(one.feature))
    .map(({ tail, label: tabLabel }) => ({ label: tabLabel, href: to(tail), current: tail === tab }))
  return (
    <StaffScreen
      {...crumbs}
      lead={organization && `${organizationTypeLabels[organization.type]}${tab === 'overview' ? '' : `: ${name}`}`}
    >
      <TabLinks label={name} links={links} />
      <QueryBoundary query={query}>
        {(loaded) => (
          <div>
            {loaded.archivedAt && <ArchivedOrganizationNotice studioId={studioId} organization={loaded} />}
            {typeof children === 'function' ? children(loaded) : children}
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

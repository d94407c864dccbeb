import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { CommissionPanel } from './commission/commission-panel.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { OrganizationLayout } from './organization-layout.tsx'
import { RemoveOrganizationPanel } from './remove-organization-panel.tsx'

/** An organization's details and contact. */
export const OrganizationOverviewScreen = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="overview">
    {(organization) => (
      <>
        <Panel title="Organization">
          <OrganizationForm studioId={params.studioId} organization={organization} />
        </Panel>
        <ContactPanel {...params} />
        <CommissionPanel {...params} />
        {!organization.archivedAt && <RemoveOrganizationPanel studioId={params.studioId} organization={organization} />}
      </>
    )}
  </OrganizationLayout>
)

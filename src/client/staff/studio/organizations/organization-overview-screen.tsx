import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { OrganizationLayout } from './organization-layout.tsx'
import type { OrganizationParams } from './organization-params.ts'
import { RemoveOrganizationPanel } from './remove-organization-panel.tsx'

/** An organization's details and contact. */
export const OrganizationOverviewScreen = (place: OrganizationParams) => (
  <OrganizationLayout {...place} tab="overview">
    {(organization) => (
      <>
        <Panel title="Organization">
          <OrganizationForm studioId={place.studioId} organization={organization} />
        </Panel>
        <ContactPanel {...place} />
        {!organization.archivedAt && <RemoveOrganizationPanel studioId={place.studioId} organization={organization} />}
      </>
    )}
  </OrganizationLayout>
)

import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { OrganizationEditor } from './organization-layout.tsx'
import type { OrganizationPlace } from './organization-params.ts'
import { RemovePanel } from './remove-organization-panel.tsx'

/** What a studio knows of an organization, and whom it speaks to there. */
export const OverviewScreen = (place: OrganizationPlace) => (
  <OrganizationEditor {...place} tab="overview">
    {(organization) => (
      <>
        <Panel title="Organization">
          <OrganizationForm studioId={place.studioId} organization={organization} />
        </Panel>
        <ContactPanel {...place} />
        {!organization.archivedAt && <RemovePanel studioId={place.studioId} organization={organization} />}
      </>
    )}
  </OrganizationEditor>
)

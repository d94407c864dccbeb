import { Panel } from '../../staff/panel.tsx'
import { ContactPanel } from './contact-panel.tsx'
import { OrganizationEditor } from './organization-editor.tsx'
import { OrganizationForm } from './organization-form.tsx'
import type { OrganizationPlace } from './read-organization.ts'
import { RemovePanel } from './remove-panel.tsx'

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

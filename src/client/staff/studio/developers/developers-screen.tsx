import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { TokensPanel } from './tokens-panel.tsx'
import { WebhooksPanel } from './webhooks-panel.tsx'

const ReferencePanel = () => (
  <Panel title="Reference" lead="Every call, what it takes, and what it answers.">
    <p>
      <a href="/api/reference" target="_blank" rel="noreferrer">
        Reference of the API
      </a>
    </p>
    <p>
      <a href="/api/openapi.json" target="_blank" rel="noreferrer">
        OpenAPI document
      </a>
    </p>
  </Panel>
)

/** What developers of a studio need to connect their own programs. */
export const DevelopersScreen = ({ studioId }: { studioId: number }) => (
  <StaffScreen
    title="Developers"
    trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}
    lead="Connect your own programs to Fieldproof."
  >
    <div>
      <TokensPanel studioId={studioId} />
      <WebhooksPanel studioId={studioId} />
      <ReferencePanel />
    </div>
  </StaffScreen>
)

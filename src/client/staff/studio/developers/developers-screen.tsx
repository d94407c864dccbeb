import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** What developers of a studio need to connect their own programs. */
export const DevelopersScreen = ({ studioId }: { studioId: number }) => (
  <StaffScreen
    title="Developers"
    trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}
    lead="Connect your own programs to Fieldproof."
  >
    <div>
      <TokensPanel studioId={studioId} />
    </div>
  </StaffScreen>
)

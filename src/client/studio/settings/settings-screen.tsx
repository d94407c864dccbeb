import { useAtomValue } from 'jotai'
import { getStudio } from '../../../contract/studio/studio.ts'
import { claimsAtom } from '../../session/signed-in.ts'
import { Answered } from '../../staff/answered.tsx'
import { Panel } from '../../staff/panel.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FeaturesPanel } from './features-panel.tsx'
import { HostsPanel } from './hosts-panel.tsx'
import { PaymentsPanel } from './payments-panel.tsx'
import { StudioForm } from './studio-form.tsx'

const StaffPanel = ({ studioId }: { studioId: number }) => (
  <Panel title="Staff" lead="Who works here, and what each of them may do.">
    <div>
      <ButtonLink href={staffUrls.studio(studioId, 'settings/staff')} variant="secondary">
        Invite and remove staff
      </ButtonLink>
    </div>
  </Panel>
)

/** A studio's settings; payments and staff are for its owners. */
export const SettingsScreen = ({ studioId }: { studioId: number }) => {
  const { permissions = [] } = useAtomValue(claimsAtom) ?? {}
  const reading = useAnswer(getStudio, { params: { studioId } })
  return (
    <StaffScreen title="Settings">
      <Answered reading={reading}>
        {(studio) => (
          <div>
            <Panel title="Studio" lead="How customers reach you, where your days begin, and your color.">
              <StudioForm studio={studio} />
            </Panel>
            {studio.hosts.length > 0 && <HostsPanel studioId={studioId} />}
            {permissions.includes('studio.financials.read') && <PaymentsPanel studioId={studioId} />}
            {permissions.includes('studio.users.crud') && <StaffPanel studioId={studioId} />}
            <FeaturesPanel studioId={studioId} />
          </div>
        )}
      </Answered>
    </StaffScreen>
  )
}

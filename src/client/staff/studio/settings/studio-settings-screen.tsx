import { useAtomValue } from 'jotai'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { claimsAtom, useIsAdministrator, useIsOwner } from '#client/staff/kit/session/current-session.ts'
import { getStudio } from '#contract/studio/studio.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { DataPanel } from './data-panel.tsx'
import { FeaturesPanel } from './features-panel.tsx'
import { HostsPanel } from './hosts-panel.tsx'
import { PaymentsPanel } from './payments-panel.tsx'
import { RemindersPanel } from './reminders-panel.tsx'
import { SharingPanel } from './sharing-panel.tsx'
import { StudioSettingsForm } from './studio-settings-form.tsx'

const StaffPanel = ({ studioId }: { studioId: number }) => (
  <Panel title="Staff" lead="Who works here and what they can do.">
    <div>
      <ButtonLink href={staffUrls.studio(studioId, 'settings/staff')} variant="secondary">
        Invite and remove staff
      </ButtonLink>
    </div>
  </Panel>
)

const SupportPanel = ({ studioId }: { studioId: number }) => (
  <Panel title="Support access" lead="Which administrators of the platform may see your data, and for how long.">
    <div>
      <ButtonLink href={staffUrls.studio(studioId, 'settings/support-access')} variant="secondary">
        Allow and end access
      </ButtonLink>
    </div>
  </Panel>
)

const DevelopersPanel = ({ studioId }: { studioId: number }) => (
  <Panel title="Developers" lead="Connect your own programs: tokens, webhooks and the reference of the API.">
    <div>
      <ButtonLink href={staffUrls.studio(studioId, 'settings/developers')} variant="secondary">
        Tokens and webhooks
      </ButtonLink>
    </div>
  </Panel>
)

/** Tells administrators of the platform why they find less here than an owner. */
const OwnersPanel = () => (
  <Panel title="For the owners only" lead="What is changed here stays in effect after your access has ended.">
    <p>
      Staff, two-factor sign-in, support access, tokens and webhooks, the payment account, and the export of all data.
    </p>
  </Panel>
)

/**
 * A studio's settings. Staff, support access, developers and the export of all data are for owners only; administrators see the payment account,
 * but cannot change it.
 */
export const StudioSettingsScreen = ({ studioId }: { studioId: number }) => {
  const { permissions = [] } = useAtomValue(claimsAtom) ?? {}
  const isOwner = useIsOwner()
  const isAdministrator = useIsAdministrator()
  const query = useStaffQuery(getStudio, { params: { studioId } })
  return (
    <StaffScreen title="Settings">
      <QueryBoundary query={query}>
        {(studio) => (
          <div>
            <Panel title="Studio" lead="How customers reach you, where your days begin, and your color.">
              <StudioSettingsForm studio={studio} />
            </Panel>
            {studio.hosts.length > 0 && <HostsPanel studioId={studioId} />}
            {permissions.includes('studio.financials.read') && <PaymentsPanel studioId={studioId} />}
            {isOwner && <StaffPanel studioId={studioId} />}
            {isOwner && <SupportPanel studioId={studioId} />}
            {isOwner && <DevelopersPanel studioId={studioId} />}
            {isAdministrator && <OwnersPanel />}
            <RemindersPanel studio={studio} />
            <SharingPanel studio={studio} />
            <FeaturesPanel studioId={studioId} />
            {isOwner && <DataPanel studioId={studioId} />}
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStudio } from '#contract/studio/studio.ts'
import { LogoPanel } from './logo-panel.tsx'
import { PublicProfileForm } from './public-profile-form.tsx'
import { VerificationPanel } from './verification-panel.tsx'

/** A studio's verification, logo and public profile. */
export const ProfileScreen = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(getStudio, { params: { studioId } })
  return (
    <StaffScreen title="Profile" lead="Your public profile and partner verification.">
      <QueryBoundary query={query}>
        {(studio) => (
          <div>
            <VerificationPanel studio={studio} />
            <LogoPanel studio={studio} />
            <Panel title="Name and address" lead="Customers see the name on screens, receipts and emails.">
              <PublicProfileForm studio={studio} />
            </Panel>
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

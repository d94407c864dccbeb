import { getStudio } from '../../../contract/studio/studio.ts'
import { Answered } from '../../staff/answered.tsx'
import { Panel } from '../../staff/panel.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { useAnswer } from '../../staff/use-answer.ts'
import { FaceForm } from './face-form.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { VerificationPanel } from './verification-panel.tsx'

/** What customers see of a studio, its logo, and whether the partner knows it. */
export const ProfileScreen = ({ studioId }: { studioId: number }) => {
  const reading = useAnswer(getStudio, { params: { studioId } })
  return (
    <StaffScreen title="Profile" lead="What customers see of the studio, and how the partner knows it.">
      <Answered reading={reading}>
        {(studio) => (
          <div>
            <VerificationPanel studio={studio} />
            <LogoPanel studio={studio} />
            <Panel title="Name and address" lead="The name stands on customers’ screens, receipts and mails.">
              <FaceForm studio={studio} />
            </Panel>
          </div>
        )}
      </Answered>
    </StaffScreen>
  )
}

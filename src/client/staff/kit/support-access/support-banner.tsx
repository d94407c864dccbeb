import { useState } from 'react'
import { useLocation } from 'wouter'
import type { SupportAccess } from '#contract/studio/support-access.ts'
import { leaveSupportAccess } from '#contract/system/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import { endLabel, termsLabel } from './access-labels.ts'
import styles from './consent-controls.module.css'
import { ReasonForm } from './reason-form.tsx'

type SupportBannerProps = { studioId: number; studioName: string; open: SupportAccess; hasAsked: boolean }

/** Shows an administrator on every screen of a studio that they are inside: where, until when, what is allowed, and why. */
export const SupportBanner = ({ studioId, studioName, open, hasAsked }: SupportBannerProps) => {
  const [, navigate] = useLocation()
  const { mutate, busy } = useStaffMutation(leaveSupportAccess)
  const [isAsking, setAsking] = useState(false)
  const leave = async () => {
    const answer = await mutate({ params: { id: studioId } })
    if (answer.ok) navigate(staffUrls.admin('studios'))
  }
  const { consentedBy, reason, mayChange, hasSharpPhotos } = open
  const canAskForMore = !(mayChange && hasSharpPhotos)
  return (
    <>
      <Notice tone="attention">
        <div className={styles.line}>
          <p>
            <strong>
              You are in {studioName} until {endLabel(open, undefined)}
            </strong>
            {'. '}
            {termsLabel(open)}. {consentedBy ? `${consentedBy} allowed it.` : 'Without consent.'}
            {reason && ` Reason: “${reason}”`}
            {hasAsked && ' You asked for more, and no owner has answered yet.'}
          </p>
          <div>
            <Button variant="secondary" size="sm" loading={busy} onClick={() => void leave()}>
              Leave
            </Button>
            {canAskForMore && !hasAsked && (
              <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
                Ask for more
              </Button>
            )}
          </div>
        </div>
      </Notice>
      {isAsking && (
        <Dialog open onClose={() => setAsking(false)} title="Ask for more" size="small">
          <ReasonForm studioId={studioId} ways={['ask']} onDone={() => setAsking(false)} />
        </Dialog>
      )}
    </>
  )
}

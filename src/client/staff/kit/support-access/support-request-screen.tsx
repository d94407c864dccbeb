import { leaveSupportAccess, type OwnSupportAccess } from '#contract/system/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import { formatMoment } from '../screen/format.ts'
import { Panel } from '../screen/panel.tsx'
import { StaffScreen } from '../screen/staff-screen.tsx'
import { endReason } from './access-labels.ts'
import { ReasonForm } from './reason-form.tsx'

const AskedNotice = ({ studioId, asked }: { studioId: number; asked: NonNullable<OwnSupportAccess['asked']> }) => {
  const { mutate, busy } = useStaffMutation(leaveSupportAccess)
  return (
    <Notice
      title={`You asked on ${formatMoment(asked.askedAt, undefined)}`}
      action={
        <Button variant="secondary" size="sm" loading={busy} onClick={() => void mutate({ params: { id: studioId } })}>
          Withdraw
        </Button>
      }
    >
      <p>This page opens as soon as an owner allows it. Reason: “{asked.reason}”</p>
    </Notice>
  )
}

/** Shown to administrators instead of the screens of a studio to which they have no access: they ask for it, or give a reason. */
export const SupportRequestScreen = ({ studioId, own }: { studioId: number; own: OwnSupportAccess }) => {
  const { studioName, asked, last } = own
  const title = `Access to ${studioName}`
  useStateTitle(title)
  const reason = last && endReason(last)
  return (
    <StaffScreen
      title={title}
      lead="The data of a studio belongs to its owners. Ask for their consent, or give them a reason."
    >
      {reason && <Notice tone="attention">{reason}</Notice>}
      {asked && <AskedNotice studioId={studioId} asked={asked} />}
      <Panel
        title={asked ? 'Enter without consent' : 'Ask or enter'}
        lead="An owner decides how long you have access, and whether you may make changes and see images. Without consent you can only read, for one hour, and images are blurred."
      >
        <ReasonForm key={asked?.id} studioId={studioId} ways={asked ? ['open'] : ['ask', 'open']} />
      </Panel>
    </StaffScreen>
  )
}

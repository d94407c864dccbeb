import { useLocation } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteOrganization, type Organization } from '#contract/studio/organizations.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'

const removalLabels = (jobCount: number) =>
  jobCount > 0
    ? {
        button: 'Archive',
        lead: 'It has jobs, so it is archived: hidden from lists. Its jobs are unchanged. You can restore it anytime.',
      }
    : { button: 'Delete', lead: 'It has no jobs. Its contact is deleted too.' }

/** Deletes an organization, or archives it if it has jobs. */
export const RemoveOrganizationPanel = ({
  studioId,
  organization,
}: {
  studioId: number
  organization: Organization
}) => {
  const [, navigate] = useLocation()
  const { mutate, busy } = useStaffMutation(deleteOrganization)
  const { id, name, jobCount } = organization
  const { button, lead } = removalLabels(jobCount)
  const remove = async () => {
    const isSure = await confirm({ title: `${button} ${name}?`, message: lead, confirmText: button, danger: true })
    if (!isSure) return
    const answer = await mutate({ params: { studioId, id } })
    if (!answer.ok) return
    toast(answer.data.archived ? `${name} is archived` : `${name} is deleted`, 'success')
    if (!answer.data.archived) navigate(staffUrls.studio(studioId, 'organizations'))
  }
  return (
    <Panel title={button} lead={lead}>
      <div>
        <Button variant="danger" loading={busy} onClick={() => void remove()}>
          {button} organization
        </Button>
      </div>
    </Panel>
  )
}

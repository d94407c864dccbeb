import { useLocation } from 'wouter'
import { deleteOrganization, type Organization } from '../../../contract/studio/organizations.ts'
import { Panel } from '../../staff/panel.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { useChange } from '../../staff/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.ts'
import { toast } from '../../ui/toast.ts'

const wordsFor = (jobCount: number) =>
  jobCount > 0
    ? {
        button: 'Archive',
        lead: 'It has jobs, so it is put away instead: with all that is in them, and back whenever you like.',
      }
    : { button: 'Delete', lead: 'It has no jobs. Its contact goes with it.' }

/** Takes an organization away, or puts it away where it has jobs. */
export const RemovePanel = ({ studioId, organization }: { studioId: number; organization: Organization }) => {
  const [, navigate] = useLocation()
  const { make, busy } = useChange(deleteOrganization)
  const { id, name, jobCount } = organization
  const { button, lead } = wordsFor(jobCount)
  const remove = async () => {
    const confirmed = await confirm({ title: `${button} ${name}?`, message: lead, confirmText: button, danger: true })
    if (!confirmed) return
    const answer = await make({ params: { studioId, id } })
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

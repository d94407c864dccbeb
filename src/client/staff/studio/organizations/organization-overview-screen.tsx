import { useLocation } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteOrganization, type Organization } from '#contract/studio/organizations.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import { ContactPanel } from './contact-panel.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { OrganizationLayout } from './organization-layout.tsx'

const removalLabels = (jobCount: number) =>
  jobCount > 0
    ? {
        button: 'Archive',
        isDanger: false,
        lead: 'This hides the organization from lists and keeps its jobs. You can restore it anytime.',
      }
    : { button: 'Delete', isDanger: true, lead: 'It has no jobs. Its contact is deleted too.' }

/** Deletes an organization, or archives it if it has jobs. */
const RemoveOrganizationPanel = ({ studioId, organization }: { studioId: number; organization: Organization }) => {
  const [, navigate] = useLocation()
  const { mutate, busy } = useStaffMutation(deleteOrganization)
  const { id, name, jobCount } = organization
  const { button, isDanger, lead } = removalLabels(jobCount)
  const remove = async () => {
    const isSure = await confirm({ title: `${button} ${name}?`, message: lead, confirmText: button, danger: isDanger })
    if (!isSure) return
    const answer = await mutate({ params: { studioId, id } })
    if (!answer.ok) return
    toast(answer.data.archived ? `${name} is archived` : `${name} is deleted`, 'success')
    if (!answer.data.archived) navigate(staffUrls.studio(studioId, 'organizations'))
  }
  return (
    <Panel title={button} lead={lead}>
      <div>
        <Button variant={isDanger ? 'danger' : 'secondary'} loading={busy} onClick={() => void remove()}>
          {button} organization
        </Button>
      </div>
    </Panel>
  )
}

/** An organization's details and contact. */
export const OrganizationOverviewScreen = (params: OrganizationParams) => (
  <OrganizationLayout {...params} tab="overview">
    {(organization) => (
      <>
        <Panel title="Organization">
          <OrganizationForm studioId={params.studioId} organization={organization} />
        </Panel>
        <ContactPanel {...params} />
        {!organization.archivedAt && <RemoveOrganizationPanel studioId={params.studioId} organization={organization} />}
      </>
    )}
  </OrganizationLayout>
)

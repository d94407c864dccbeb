import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type Organization, restoreOrganization } from '#contract/studio/organizations.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** Shows that an organization is archived, and restores it. */
export const ArchivedOrganizationNotice = ({
  studioId,
  organization,
}: {
  studioId: number
  organization: Organization
}) => {
  const { mutate, busy } = useStaffMutation(restoreOrganization)
  const restoreButton = (
    <Button
      variant="secondary"
      loading={busy}
      onClick={() => void mutate({ params: { studioId, id: organization.id } })}
    >
      Restore
    </Button>
  )
  return (
    <Notice title="This organization is archived" action={restoreButton}>
      It is hidden from lists until you restore it. Its jobs are unchanged.
    </Notice>
  )
}

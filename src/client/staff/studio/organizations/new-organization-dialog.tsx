import { useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { type Organization, postOrganization } from '#contract/studio/organizations.ts'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { organizationRules } from '#domain/studio/organization.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { organizationTypeOptions } from './organization-form.tsx'
import { OrganizationNameField } from './organization-name-field.tsx'

type Model = { name: string; type: OrganizationType }
const emptyValues: Model = { name: '', type: 'school' }

const NewOrganizationForm = ({
  studioId,
  onCreated,
}: {
  studioId: number
  onCreated: (organization: Organization) => void
}) => {
  const { mutate } = useStaffMutation(postOrganization)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} new organization`,
    saved: { values: emptyValues, version: 0 },
    rules: { name: organizationRules.name ?? [] },
    save: async ({ values }) => {
      const answer = await mutate({ params: { studioId }, body: values }, { onError: 'silent' })
      if (!answer.ok) return answer
      onCreated(answer.data)
      return { ...answer, data: { values: emptyValues, version: 0 } }
    },
  })
  return (
    <EditForm edit={edit} saveText="Create organization">
      <OrganizationNameField studioId={studioId} />
      <SelectField name="type" label="Type" options={organizationTypeOptions} />
    </EditForm>
  )
}

type NewOrganizationDialogProps = { studioId: number; open: boolean; onClose: () => void }

/** Creates an organization with its name and type, then opens its screen. */
export const NewOrganizationDialog = ({ studioId, open, onClose }: NewOrganizationDialogProps) => {
  const [, navigate] = useLocation()
  return (
    <Dialog open={open} onClose={onClose} title="New organization" size="small">
      <NewOrganizationForm
        studioId={studioId}
        onCreated={({ id }) => navigate(staffUrls.studio(studioId, `organizations/${id}/overview`))}
      />
    </Dialog>
  )
}

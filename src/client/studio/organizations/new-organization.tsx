import { useLocation } from 'wouter'
import { type Organization, postOrganization } from '../../../contract/studio/organizations.ts'
import type { OrganizationType } from '../../../domain/catalogue.ts'
import { organizationRules } from '../../../domain/organization.ts'
import { EditForm } from '../../staff/edit-form.tsx'
import { SelectField } from '../../staff/form-fields.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { useChange } from '../../staff/use-change.ts'
import { useEditForm } from '../../staff/use-edit-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NameField } from './name-field.tsx'
import { typeOptions } from './type-names.ts'

type Model = { name: string; type: OrganizationType }
const blank: Model = { name: '', type: 'school' }

const NewForm = ({ studioId, onMade }: { studioId: number; onMade: (made: Organization) => void }) => {
  const { make } = useChange(postOrganization)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} new organization`,
    saved: { values: blank, version: 0 },
    rules: { name: organizationRules.name ?? [] },
    save: async ({ values }) => {
      const answer = await make({ params: { studioId }, body: values }, 'nobody')
      if (!answer.ok) return answer
      onMade(answer.data)
      return { ...answer, data: { values: blank, version: 0 } }
    },
  })
  return (
    <EditForm edit={edit} saveText="Create organization">
      <NameField studioId={studioId} />
      <SelectField name="type" label="Type" options={typeOptions} />
    </EditForm>
  )
}

type NewOrganizationProps = { studioId: number; open: boolean; onClose: () => void }

/** A new organization: its name and its type, then the screen on which the rest is said. */
export const NewOrganization = ({ studioId, open, onClose }: NewOrganizationProps) => {
  const [, navigate] = useLocation()
  return (
    <Dialog open={open} onClose={onClose} title="New organization" size="small">
      <NewForm
        studioId={studioId}
        onMade={({ id }) => navigate(staffUrls.studio(studioId, `organizations/${id}/overview`))}
      />
    </Dialog>
  )
}

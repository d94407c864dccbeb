import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getOrganization, type Organization, putOrganization } from '#contract/studio/organizations.ts'
import { type OrganizationFields, organizationRules } from '#domain/studio/organization.ts'
import type { CallResult } from '#local/transport/request.ts'
import { OrganizationNameField } from './organization-name-field.tsx'
import { organizationTypeOptions } from './organization-types.ts'
import styles from './organizations.module.css'

const labels = { name: 'Name', type: 'Type', phone: 'Phone', email: 'Email', website: 'Website', note: 'Note' }

const toVersionedValues = ({
  name,
  type,
  phone,
  email,
  website,
  note,
  version,
}: Organization): VersionedValues<OrganizationFields> => ({
  values: { name, type, phone, email, website, note },
  version,
})

const toVersionedResult = (answer: CallResult<Organization>): CallResult<VersionedValues<OrganizationFields>> =>
  answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer

/** Edits an organization. The server checks the name while the user types. */
export const OrganizationForm = ({ studioId, organization }: { studioId: number; organization: Organization }) => {
  const { mutate } = useStaffMutation(putOrganization)
  const params = { studioId, id: organization.id }
  const edit = useEditForm<OrganizationFields>({
    name: `studio ${studioId} organization ${organization.id}`,
    saved: toVersionedValues(organization),
    rules: organizationRules,
    save: async ({ values, version }) =>
      toVersionedResult(await mutate({ params, body: { ...values, version } }, { onError: 'silent' })),
    readLatest: async () => toVersionedResult(await authorizedRequest(getOrganization, { params })),
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <OrganizationNameField studioId={studioId} own={organization} />
      <SelectField name="type" label="Type" options={organizationTypeOptions} />
      <div className={styles.row}>
        <TextField name="phone" label="Phone" type="tel" optional maxLength={40} />
        <TextField name="email" label="Email" type="email" optional maxLength={254} />
      </div>
      <TextField name="website" label="Website" optional inputMode="url" maxLength={200} />
      <TextField
        name="note"
        label="Note"
        type="textarea"
        rows={3}
        optional
        hint="For your staff alone"
        maxLength={2000}
      />
    </EditForm>
  )
}

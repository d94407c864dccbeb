import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getOrganization, type Organization, putOrganization } from '#contract/studio/organizations.ts'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { type OrganizationFields, organizationRules } from '#domain/studio/organization.ts'
import { OrganizationNameField } from './organization-name-field.tsx'
import styles from './organizations.module.css'

/** Labels of the organization types. */
export const organizationTypeLabels: Readonly<Record<OrganizationType, string>> = { school: 'School', sport: 'Sport' }

/** Options of the type select. */
export const organizationTypeOptions = (['school', 'sport'] as const).map((value) => ({
  value,
  label: organizationTypeLabels[value],
}))

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

/** Edits an organization. The server checks the name while the user types. */
export const OrganizationForm = ({ studioId, organization }: { studioId: number; organization: Organization }) => {
  const { mutate } = useStaffMutation(putOrganization)
  const params = { studioId, id: organization.id }
  const edit = useRecordForm({
    name: `studio ${studioId} organization ${organization.id}`,
    record: organization,
    toVersionedValues,
    rules: organizationRules,
    save: ({ values, version }) => mutate({ params, body: { ...values, version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getOrganization, { params }),
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <OrganizationNameField studioId={studioId} organization={organization} />
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
        hint="Only for your staff"
        maxLength={2000}
      />
    </EditForm>
  )
}

import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { PostalAddressFields } from '#client/staff/kit/form/postal-address-fields.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { OrganizationParams } from '#client/staff/kit/routing/staff-route.tsx'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteContact, getContact, type OrganizationContact, putContact } from '#contract/studio/organizations.ts'
import { emptyAddress } from '#domain/shared/postal-address.ts'
import { type ContactFields, contactRules } from '#domain/studio/organization.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './organizations.module.css'

type ContactResponse = { contact: OrganizationContact | null }

const emptyContact: ContactFields = {
  firstName: '',
  lastName: '',
  title: '',
  email: '',
  phone: '',
  address: emptyAddress,
}

const labels = {
  ...{ firstName: 'First name', lastName: 'Last name', title: 'Title' },
  ...{ email: 'Email', phone: 'Phone', address: 'Address' },
}

/** Version of a contact that does not exist yet. Saved contacts have a higher version. */
const noVersion = 0

const toVersionedValues = ({ contact }: ContactResponse): VersionedValues<ContactFields> => {
  if (!contact) return { values: emptyContact, version: noVersion }
  const { version, ...values } = contact
  return { values, version }
}

const ContactForm = ({
  organizationParams,
  contactResponse,
}: {
  organizationParams: OrganizationParams
  contactResponse: ContactResponse
}) => {
  const { studioId, organizationId } = organizationParams
  const put = useStaffMutation(putContact)
  const removal = useStaffMutation(deleteContact)
  const callParams = { studioId, organizationId }
  const edit = useRecordForm({
    name: `studio ${studioId} organization ${organizationId} contact`,
    record: contactResponse,
    toVersionedValues,
    rules: contactRules,
    save: ({ values, version }) =>
      put.mutate({ params: callParams, body: { ...values, version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getContact, { params: callParams }),
    onSaved: () => toast('The contact is saved', 'success'),
  })
  const remove = async () => {
    const title = 'Remove the contact?'
    const message = 'Name, phone, email and address go with it.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    await removal.mutate({ params: callParams })
  }
  return (
    <EditForm edit={edit} labels={labels} saveText="Save contact">
      <div className={styles.row}>
        <TextField name="firstName" label="First name" optional autoComplete="off" maxLength={80} />
        <TextField name="lastName" label="Last name" optional autoComplete="off" maxLength={80} />
      </div>
      <TextField name="title" label="Title" optional hint="Principal, coach, office" maxLength={80} />
      <div className={styles.row}>
        <TextField name="phone" label="Contact’s phone" type="tel" optional autoComplete="off" maxLength={40} />
        <TextField name="email" label="Contact’s email" type="email" optional autoComplete="off" maxLength={254} />
      </div>
      <PostalAddressFields name="address" />
      {contactResponse.contact && (
        <div>
          <Button variant="quiet" loading={removal.busy} onClick={() => void remove()}>
            Remove contact
          </Button>
        </div>
      )}
    </EditForm>
  )
}

/** The studio's contact at an organization. */
export const ContactPanel = (organizationParams: OrganizationParams) => {
  const { studioId, organizationId } = organizationParams
  const query = useStaffQuery(getContact, { params: { studioId, organizationId } })
  return (
    <Panel title="Contact" lead="Your contact there. Fill in at least one address field to save it.">
      <QueryBoundary query={query}>
        {/* The key remounts the form when the contact is created or removed. */}
        {(contactResponse) => (
          <ContactForm
            key={contactResponse.contact ? 'saved' : 'new'}
            organizationParams={organizationParams}
            contactResponse={contactResponse}
          />
        )}
      </QueryBoundary>
    </Panel>
  )
}

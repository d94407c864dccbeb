import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { PostalAddressFields } from '#client/staff/kit/form/postal-address-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteContact, getContact, type OrganizationContact, putContact } from '#contract/studio/organizations.ts'
import { emptyAddress } from '#domain/shared/postal-address.ts'
import { type ContactFields, contactRules } from '#domain/studio/organization.ts'
import type { CallResult as Answer } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import type { OrganizationParams } from './organization-params.ts'
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

/** Version of a contact that does not exist yet. One saved at another tablet has a higher version. */
const noVersion = 0

const toVersionedValues = ({ contact }: ContactResponse): VersionedValues<ContactFields> => {
  if (!contact) return { values: emptyContact, version: noVersion }
  const { version, ...values } = contact
  return { values, version }
}

const toVersionedResult = (answer: Answer<ContactResponse>): Answer<VersionedValues<ContactFields>> =>
  answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer

const ContactForm = ({
  params: organizationParams,
  response: contactResponse,
}: {
  params: OrganizationParams
  response: ContactResponse
}) => {
  const { studioId, organizationId } = organizationParams
  const putting = useStaffMutation(putContact)
  const removing = useStaffMutation(deleteContact)
  const callParams = { studioId, organizationId }
  const edit = useEditForm<ContactFields>({
    name: `studio ${studioId} organization ${organizationId} contact`,
    saved: toVersionedValues(contactResponse),
    rules: contactRules,
    save: async ({ values, version }) => {
      const body = { ...values, version }
      return toVersionedResult(await putting.mutate({ params: callParams, body }, { onError: 'silent' }))
    },
    readLatest: async () => toVersionedResult(await authorizedRequest(getContact, { params: callParams })),
    onSaved: () => toast('The contact is saved', 'success'),
  })
  const remove = async () => {
    const title = 'Remove the contact?'
    const message = 'Name, phone, email and address go with it.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    await removing.mutate({ params: callParams })
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
          <Button variant="quiet" loading={removing.busy} onClick={() => void remove()}>
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
    <Panel title="Contact" lead="Whom you speak to there. It is saved once one field of the address is filled in.">
      <QueryBoundary query={query}>
        {/* A removed contact clears the form; a new one starts its own form. */}
        {(contactResponse) => (
          <ContactForm
            key={contactResponse.contact ? 'named' : 'nobody'}
            params={organizationParams}
            response={contactResponse}
          />
        )}
      </QueryBoundary>
    </Panel>
  )
}

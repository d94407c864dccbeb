import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { PostalAddressFields } from '#client/staff/kit/form/postal-address-fields.tsx'
import { useStudioForm } from '#client/staff/kit/form/use-studio-form.ts'
import type { Studio } from '#contract/studio/studio.ts'
import type { PostalAddress } from '#domain/shared/postal-address.ts'
import { studioRules } from '#domain/studio/studio-fields.ts'

type PublicProfile = { name: string; website: string; address: PostalAddress }

const labels = { name: 'Name', website: 'Website', address: 'Address' }
const rules = studioRules('name', 'website', 'address')

/** Edits the studio's name, website and address. */
export const PublicProfileForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<PublicProfile>({
    formName: 'profile',
    studio,
    toValues: ({ name, website, address }) => ({ name, website, address }),
    toPatch: (values) => values,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <TextField name="name" label="Name" required maxLength={120} />
      <TextField name="website" label="Website" optional inputMode="url" maxLength={200} />
      <PostalAddressFields name="address" />
    </EditForm>
  )
}

import type { Studio } from '../../../contract/studio/studio.ts'
import type { PostalAddress } from '../../../domain/postal-address.ts'
import { studioRules } from '../../../domain/studio-fields.ts'
import { AddressParts } from '../../staff/address-parts.tsx'
import { EditForm } from '../../staff/edit-form.tsx'
import { TextField } from '../../staff/form-fields.tsx'
import { useStudioForm } from '../../staff/use-studio-form.ts'

type Face = { name: string; website: string; address: PostalAddress }

const labels = { name: 'Name', website: 'Website', address: 'Address' }
const rules = studioRules('name', 'website', 'address')

/** The studio's name, website and address. */
export const FaceForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<Face>({
    part: 'profile',
    studio,
    valuesOf: ({ name, website, address }) => ({ name, website, address }),
    patchOf: (values) => values,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <TextField name="name" label="Name" required maxLength={120} />
      <TextField name="website" label="Website" optional inputMode="url" maxLength={200} />
      <AddressParts name="address" />
    </EditForm>
  )
}

import { useWatch } from 'react-hook-form'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import styles from './organizations.module.css'
import { useOrganizationNameCheck } from './use-organization-name-check.ts'

type OrganizationNameFieldProps = { studioId: number; own?: { id: number; name: string } }

/** An organization's name, checked by the server while the user types. */
export const OrganizationNameField = ({ studioId, own }: OrganizationNameFieldProps) => {
  const name: string = useWatch({ name: 'name' }) ?? ''
  const checked = useOrganizationNameCheck({ studioId, name, ...(own && { own }) })
  return (
    <div>
      <TextField name="name" label="Name" required maxLength={120} autoComplete="off" data-first-focus />
      <p role="status" className={styles.check} data-taken={checked !== null && checked !== 'free'}>
        {checked === 'free' ? 'This name is free' : checked?.message}
      </p>
    </div>
  )
}

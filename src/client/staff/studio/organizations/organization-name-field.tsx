import { useWatch } from 'react-hook-form'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import styles from './organizations.module.css'
import { useOrganizationNameCheck } from './use-organization-name-check.ts'

type OrganizationNameFieldProps = { studioId: number; organization?: { id: number; name: string } | undefined }

/** An organization's name, checked by the server while the user types. */
export const OrganizationNameField = ({ studioId, organization }: OrganizationNameFieldProps) => {
  const name: string = useWatch({ name: 'name' }) ?? ''
  const check = useOrganizationNameCheck({ studioId, name, ...(organization && { organization }) })
  return (
    <div>
      <TextField name="name" label="Name" required maxLength={120} autoComplete="off" data-first-focus />
      <p role="status" className={styles.check} data-taken={check !== null && check !== 'free'}>
        {check === 'free' ? 'This name is free' : check?.message}
      </p>
    </div>
  )
}

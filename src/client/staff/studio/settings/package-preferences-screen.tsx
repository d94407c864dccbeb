import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudioForm } from '#client/staff/kit/form/use-studio-form.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStudio, type Studio } from '#contract/studio/studio.ts'
import styles from './package-preferences-screen.module.css'

type Preferences = Studio['packagePreferences']

const labels = {
  taxClass: 'Taxed as',
  order: 'Place in the set',
  allowConsumerCrop: 'Customers may crop',
  offeredPrepay: 'Offered before picture day',
  offeredGallery: 'Offered in galleries',
}

const taxClassOptions = [
  { value: 'standard', label: 'Goods' },
  { value: 'digital', label: 'Digital goods' },
]
const positionOptions = [
  { value: 'last', label: 'At the end' },
  { value: 'first', label: 'At the front' },
]

const PreferencesForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<Preferences>({
    formName: 'package preferences',
    studio,
    toValues: ({ packagePreferences }) => packagePreferences,
    toPatch: (packagePreferences) => ({ packagePreferences }),
    rules: {},
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <SelectField name="taxClass" label={labels.taxClass} options={taxClassOptions} />
      <SelectField name="order" label={labels.order} options={positionOptions} />
      <CheckField name="allowConsumerCrop" label={labels.allowConsumerCrop} />
      <CheckField name="offeredPrepay" label={labels.offeredPrepay} />
      <CheckField name="offeredGallery" label={labels.offeredGallery} />
    </EditForm>
  )
}

/** Defaults for a studio's new packages. */
export const PackagePreferencesScreen = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(getStudio, { params: { studioId } })
  return (
    <StaffScreen title="Package preferences" lead="Defaults for new packages. Existing packages don’t change.">
      <div className={styles.form}>
        <QueryBoundary query={query}>{(studio) => <PreferencesForm studio={studio} />}</QueryBoundary>
      </div>
    </StaffScreen>
  )
}

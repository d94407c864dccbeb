import { patchOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { minimum, parseNumber, type Validator } from '#domain/shared/validators.ts'
import { userPreferenceBounds } from '#domain/studio/user-account.ts'
import { EditForm } from '../kit/form/edit-form.tsx'
import { TextField } from '../kit/form/form-fields.tsx'
import type { VersionedValues } from '../kit/form/merge-edits.ts'
import { useRecordForm } from '../kit/form/use-record-form.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'

/** Field values of the form, as text. */
type Model = { BuildMaximumCropperSize: string; BuildImagesPerRow: string }

const toVersionedValues = ({
  buildMaximumCropperSize,
  buildImagesPerRow,
}: UserPreferences): VersionedValues<Model> => ({
  values: { BuildMaximumCropperSize: String(buildMaximumCropperSize), BuildImagesPerRow: String(buildImagesPerRow) },
  version: 1,
})

const integerWithin = ({ min, max }: { min: number; max: number }): readonly Validator<Model>[] => [
  minimum(min),
  (value) => (parseNumber(String(value)) > max ? `This value must be at most ${max}` : null),
  (value) => (Number.isInteger(parseNumber(String(value))) ? null : 'This value must be a whole number'),
]

const { buildMaximumCropperSize: sizeBounds, buildImagesPerRow: perRowBounds } = userPreferenceBounds

const rules = { BuildMaximumCropperSize: integerWithin(sizeBounds), BuildImagesPerRow: integerWithin(perRowBounds) }

/** Maximum size of the crop editor and number of images per row. */
export const DisplayPreferencesForm = ({ preferences }: { preferences: UserPreferences }) => {
  const { mutate } = useStaffMutation(patchOwnPreferences)
  const edit = useRecordForm({
    name: `account ${preferences.userId} preferences`,
    record: preferences,
    toVersionedValues,
    rules,
    save: ({ values }) => {
      const body = {
        BuildMaximumCropperSize: parseNumber(values.BuildMaximumCropperSize),
        BuildImagesPerRow: parseNumber(values.BuildImagesPerRow),
      }
      return mutate({ body }, { onError: 'silent' })
    },
  })
  return (
    <EditForm edit={edit}>
      <TextField
        name="BuildMaximumCropperSize"
        label="Max crop size (px)"
        hint={`Longest side, ${sizeBounds.min} to ${sizeBounds.max}`}
        type="number"
        inputMode="numeric"
        min={sizeBounds.min}
        max={sizeBounds.max}
      />
      <TextField
        name="BuildImagesPerRow"
        label="Images in a row"
        hint={`${perRowBounds.min} to ${perRowBounds.max}, or as many as fit`}
        type="number"
        inputMode="numeric"
        min={perRowBounds.min}
        max={perRowBounds.max}
      />
    </EditForm>
  )
}

import { patchOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { minimum, parseNumber, type Validator } from '#domain/shared/validators.ts'
import { userPreferenceBounds } from '#domain/studio/user-preferences.ts'
import { EditForm } from '../kit/form/edit-form.tsx'
import { TextField } from '../kit/form/form-fields.tsx'
import type { VersionedValues } from '../kit/form/merge-edits.ts'
import { useEditForm } from '../kit/form/use-edit-form.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'

/** Values as the form fields hold them. */
type Model = { BuildMaximumCropperSize: string; BuildImagesPerRow: string }

const toVersionedValues = ({
  buildMaximumCropperSize,
  buildImagesPerRow,
}: UserPreferences): VersionedValues<Model> => ({
  values: { BuildMaximumCropperSize: String(buildMaximumCropperSize), BuildImagesPerRow: String(buildImagesPerRow) },
  version: 1,
})

const within = ({ least, most }: { least: number; most: number }): readonly Validator<Model>[] => [
  minimum(least),
  (value) => (parseNumber(String(value)) > most ? `This value must be at most ${most}` : null),
  (value) => (Number.isInteger(parseNumber(String(value))) ? null : 'This value must be a whole number'),
]

const { buildMaximumCropperSize: size, buildImagesPerRow: perRow } = userPreferenceBounds

const rules = { BuildMaximumCropperSize: within(size), BuildImagesPerRow: within(perRow) }

/** Maximum size of the crop editor and number of images per row. */
export const DisplayPreferencesForm = ({ preferences }: { preferences: UserPreferences }) => {
  const { mutate } = useStaffMutation(patchOwnPreferences)
  const edit = useEditForm<Model>({
    name: `account ${preferences.userId} preferences`,
    saved: toVersionedValues(preferences),
    rules,
    save: async ({ values }) => {
      const body = {
        BuildMaximumCropperSize: parseNumber(values.BuildMaximumCropperSize),
        BuildImagesPerRow: parseNumber(values.BuildImagesPerRow),
      }
      const answer = await mutate({ body }, { onError: 'silent' })
      return answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer
    },
  })
  return (
    <EditForm edit={edit}>
      <TextField
        name="BuildMaximumCropperSize"
        label="Largest size of the crop editor"
        hint={`Pixels of its longest side, ${size.least} to ${size.most}`}
        type="number"
        inputMode="numeric"
        min={size.least}
        max={size.most}
      />
      <TextField
        name="BuildImagesPerRow"
        label="Images in a row"
        hint={`${perRow.least} to ${perRow.most}, as many as there is room for`}
        type="number"
        inputMode="numeric"
        min={perRow.least}
        max={perRow.most}
      />
    </EditForm>
  )
}

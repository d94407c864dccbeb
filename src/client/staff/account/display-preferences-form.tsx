import { patchOwnPreferences, type UserPreferences } from '#contract/studio/accounts.ts'
import { minimum, numberOf, type Validator } from '#domain/shared/validators.ts'
import { preferenceBounds } from '#domain/studio/user-preferences.ts'
import { EditForm } from '../kit/form/edit-form.tsx'
import { TextField } from '../kit/form/form-fields.tsx'
import type { Saved } from '../kit/form/merge-edits.ts'
import { useEditForm } from '../kit/form/use-edit-form.ts'
import { useChange } from '../kit/query/use-staff-mutation.ts'

/** As the fields hold them. */
type Model = { BuildMaximumCropperSize: string; BuildImagesPerRow: string }

const savedOf = ({ buildMaximumCropperSize, buildImagesPerRow }: UserPreferences): Saved<Model> => ({
  values: { BuildMaximumCropperSize: String(buildMaximumCropperSize), BuildImagesPerRow: String(buildImagesPerRow) },
  version: 1,
})

const within = ({ least, most }: { least: number; most: number }): readonly Validator<Model>[] => [
  minimum(least),
  (value) => (numberOf(String(value)) > most ? `This value must be at most ${most}` : null),
  (value) => (Number.isInteger(numberOf(String(value))) ? null : 'This value must be a whole number'),
]

const { buildMaximumCropperSize: size, buildImagesPerRow: perRow } = preferenceBounds

const rules = { BuildMaximumCropperSize: within(size), BuildImagesPerRow: within(perRow) }

/** How large the crop editor may become, and how many images stand in a row. */
export const ChooseSizes = ({ preferences }: { preferences: UserPreferences }) => {
  const { make } = useChange(patchOwnPreferences)
  const edit = useEditForm<Model>({
    name: `account ${preferences.userId} preferences`,
    saved: savedOf(preferences),
    rules,
    save: async ({ values }) => {
      const body = {
        BuildMaximumCropperSize: numberOf(values.BuildMaximumCropperSize),
        BuildImagesPerRow: numberOf(values.BuildImagesPerRow),
      }
      const answer = await make({ body }, 'nobody')
      return answer.ok ? { ...answer, data: savedOf(answer.data) } : answer
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

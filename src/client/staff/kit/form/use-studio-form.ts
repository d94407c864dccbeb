import type { FieldValues } from 'react-hook-form'
import type { Infer } from 'superstruct'
import { getStudio, patchStudio, type Studio } from '#contract/studio/studio.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { authorizedRequest } from '../query/authorized-request.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import { useRecordForm } from './use-record-form.ts'

type StudioFormOptions<Model extends FieldValues> = {
  /** Name of the form, unique among the forms of one studio. */
  formName: string
  studio: Studio
  toValues: (studio: Studio) => Model
  /** Converts form values to the studio fields to update. */
  toPatch: (values: Model) => Omit<Infer<typeof patchStudio.body>, 'version'>
  rules: Rules<Model>
}

/** A form that edits some fields of a studio and leaves the other fields unchanged. */
export const useStudioForm = <Model extends FieldValues>(options: StudioFormOptions<Model>) => {
  const { formName, studio, toValues, toPatch, rules } = options
  const { mutate } = useStaffMutation(patchStudio)
  const params = { studioId: studio.id }
  return useRecordForm<Model, Studio>({
    name: `studio ${studio.id} ${formName}`,
    record: studio,
    toVersionedValues: (saved) => ({ values: toValues(saved), version: saved.version }),
    rules,
    save: ({ values, version }) => mutate({ params, body: { version, ...toPatch(values) } }, { onError: 'silent' }),
    read: () => authorizedRequest(getStudio, { params }),
  })
}

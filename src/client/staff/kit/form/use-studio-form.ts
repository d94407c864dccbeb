import type { FieldValues } from 'react-hook-form'
import type { Infer } from 'superstruct'
import { getStudio, patchStudio, type Studio } from '#contract/studio/studio.ts'
import type { Rules } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { authorizedRequest } from '../query/authorized-request.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import type { VersionedValues } from './merge-edits.ts'
import { useEditForm } from './use-edit-form.ts'

type StudioFormOptions<Model extends FieldValues> = {
  /** Name of the form within the studio. */
  part: string
  studio: Studio
  valuesOf: (studio: Studio) => Model
  /** The studio fields that these values change. */
  patchOf: (values: Model) => Omit<Infer<typeof patchStudio.body>, 'version'>
  rules: Rules<Model>
}

/** A form over some fields of the studio. All others stay unchanged. */
export const useStudioForm = <Model extends FieldValues>(options: StudioFormOptions<Model>) => {
  const { part, studio, valuesOf, patchOf, rules } = options
  const { mutate } = useStaffMutation(patchStudio)
  const params = { studioId: studio.id }
  const toVersionedValues = (saved: Studio): VersionedValues<Model> => ({
    values: valuesOf(saved),
    version: saved.version,
  })
  const toVersionedResult = (answer: CallResult<Studio>): CallResult<VersionedValues<Model>> =>
    answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer
  return useEditForm<Model>({
    name: `studio ${studio.id} ${part}`,
    saved: toVersionedValues(studio),
    rules,
    save: async ({ values, version }) =>
      toVersionedResult(await mutate({ params, body: { version, ...patchOf(values) } }, { onError: 'silent' })),
    readLatest: async () => toVersionedResult(await authorizedRequest(getStudio, { params })),
  })
}

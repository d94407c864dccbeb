import type { FieldValues } from 'react-hook-form'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { type EditFormState, useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getJobSettings, type JobSettings } from '#contract/studio/job-settings.ts'
import type { Rules } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'

type JobSettingsFormOptions<Model> = {
  params: JobParams
  settings: JobSettings
  /** Name of the tab; part of the draft's name. */
  tab: string
  /** The call that saves the tab; it returns all settings. */
  call: AnyCall
  valuesOf: (settings: JobSettings) => Model
  /** Request body without the version. */
  bodyOf: (values: Model) => object
  rules?: Rules<Model>
}

/** Form of one settings tab. All tabs share one version, so that two tablets never overwrite each other unnoticed. */
export const useJobSettingsForm = <Model extends FieldValues>(
  form: JobSettingsFormOptions<Model>,
): EditFormState<Model> => {
  const { params, settings, tab, call, valuesOf, bodyOf, rules = {} } = form
  const callParams = { studioId: params.studioId, jobId: params.jobId }
  const change = useStaffMutation(call)
  const toVersionedValues = (saved: JobSettings): VersionedValues<Model> => ({
    values: valuesOf(saved),
    version: saved.version,
  })
  const toVersionedResult = (answer: CallResult<JobSettings>): CallResult<VersionedValues<Model>> =>
    answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer
  return useEditForm<Model>({
    name: `job ${params.jobId} ${tab}`,
    saved: toVersionedValues(settings),
    rules,
    save: async ({ values, version }) =>
      toVersionedResult(
        await change.mutate({ params: callParams, body: { version, ...bodyOf(values) } }, { onError: 'silent' }),
      ),
    readLatest: async () => toVersionedResult(await authorizedRequest(getJobSettings, { params: callParams })),
  })
}

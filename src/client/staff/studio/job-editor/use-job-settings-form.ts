import type { FieldValues } from 'react-hook-form'
import type { EditFormState } from '#client/staff/kit/form/use-edit-form.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getJobSettings, type JobSettings } from '#contract/studio/job-settings.ts'
import type { Rules } from '#domain/shared/validators.ts'

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

/** Form of one settings tab. All tabs share the version of the settings, so that concurrent edits are detected as conflicts. */
export const useJobSettingsForm = <Model extends FieldValues>(
  options: JobSettingsFormOptions<Model>,
): EditFormState<Model> => {
  const { params, settings, tab, call, valuesOf, bodyOf, rules = {} } = options
  const callParams = { studioId: params.studioId, jobId: params.jobId }
  const mutation = useStaffMutation(call)
  return useRecordForm<Model, JobSettings>({
    name: `job ${params.jobId} ${tab}`,
    record: settings,
    toVersionedValues: (saved) => ({ values: valuesOf(saved), version: saved.version }),
    rules,
    save: ({ values, version }) =>
      mutation.mutate({ params: callParams, body: { version, ...bodyOf(values) } }, { onError: 'silent' }),
    read: () => authorizedRequest(getJobSettings, { params: callParams }),
  })
}

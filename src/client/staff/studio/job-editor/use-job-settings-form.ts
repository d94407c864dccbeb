import type { FieldValues } from 'react-hook-form'
import type { Saved } from '#client/staff/kit/form/merge-edits.ts'
import { type EditForm, useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { askStaff } from '#client/staff/kit/query/authorized-request.ts'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { getJobSettings, type JobSettings } from '#contract/studio/job-settings.ts'
import type { Rules } from '#domain/shared/validators.ts'
import type { Answered } from '#local/transport/request.ts'

type SettingsForm<Model> = {
  place: JobPlace
  settings: JobSettings
  /** Which tab it is: what is typed is kept under it. */
  tab: string
  /** What saves it; answers with all settings. */
  call: AnyCall
  valuesOf: (settings: JobSettings) => Model
  /** What the call is told beside the version. */
  bodyOf: (values: Model) => object
  rules?: Rules<Model>
}

/** The form of one tab of a job's settings: all of them share one version, so that two tablets never save over each other unseen. */
export const useSettingsForm = <Model extends FieldValues>(form: SettingsForm<Model>): EditForm<Model> => {
  const { place, settings, tab, call, valuesOf, bodyOf, rules = {} } = form
  const params = { studioId: place.studioId, jobId: place.jobId }
  const change = useChange(call)
  const savedOf = (read: JobSettings): Saved<Model> => ({ values: valuesOf(read), version: read.version })
  const asSaved = (answer: Answered<JobSettings>): Answered<Saved<Model>> =>
    answer.ok ? { ...answer, data: savedOf(answer.data) } : answer
  return useEditForm<Model>({
    name: `job ${place.jobId} ${tab}`,
    saved: savedOf(settings),
    rules,
    save: async ({ values, version }) =>
      asSaved(await change.make({ params, body: { version, ...bodyOf(values) } }, 'nobody')),
    newest: async () => asSaved(await askStaff(getJobSettings, { params })),
  })
}

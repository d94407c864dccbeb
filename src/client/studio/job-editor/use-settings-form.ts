import type { FieldValues } from 'react-hook-form'
import type { AnyCall } from '../../../contract/call.ts'
import { getJobSettings, type JobSettings } from '../../../contract/studio/job-settings.ts'
import type { Rules } from '../../../domain/validators.ts'
import type { Answered } from '../../../local/ask.ts'
import { askStaff } from '../../staff/ask-staff.ts'
import type { Saved } from '../../staff/merge-edits.ts'
import type { JobPlace } from '../../staff/staff-urls.ts'
import { useChange } from '../../staff/use-change.ts'
import { type EditForm, useEditForm } from '../../staff/use-edit-form.ts'

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

import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { draftRules } from '#client/staff/kit/form/draft-rules.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import {
  deleteSavedReport,
  getSavedReport,
  postSavedReport,
  putSavedReport,
  type SavedReport,
} from '#contract/studio/saved-reports.ts'
import { studioReports } from '#domain/studio/reports.ts'
import {
  haveSameChoices,
  type ReportChoices,
  type ReportSchedule,
  reportSchedules,
  type SavedReportDraft,
  savedReportMessages,
  savedReportRules,
  showsAllDates,
  studioReportOf,
} from '#domain/studio/saved-report.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './saved-reports.module.css'

type SavedReportForm = { name: string; schedule: ReportSchedule | ''; takesScreen: boolean }

const labels: Readonly<Record<keyof SavedReportForm, string>> = {
  name: 'Name',
  schedule: 'Email',
  takesScreen: 'Save the dates and filters that the screen shows now',
}

const scheduleOptions = (choices: ReportChoices) => {
  const isOfAllDates = showsAllDates(choices)
  return [
    { value: '', label: 'Never' },
    { value: 'weekly', label: isOfAllDates ? 'Every Sunday' : 'Every Sunday, for the week before' },
    {
      value: 'monthly',
      label: isOfAllDates ? 'On the first of every month' : 'On the first of every month, for the month before',
    },
  ]
}

const scheduleOf = (value: string): ReportSchedule | null => reportSchedules.find((name) => name === value) ?? null

const reportOf = ({ report }: ReportChoices) => studioReports[studioReportOf(report)]
const hasDays = (choices: ReportChoices): boolean => reportOf(choices).hasDays

type Saved = { choices: ReportChoices; id?: number }

type SavedReportDialogProps = {
  studioId: number
  /** The choices on the screen. */
  choices: ReportChoices
  /** The saved report to edit; undefined to save a new one. */
  savedReport: SavedReport | undefined
  open: boolean
  /** Receives what the screen shows from now on, if something was saved or deleted. */
  onClose: (saved?: Saved) => void
}

const emailHint = (schedule: string, savedReport: SavedReport | undefined): string | undefined => {
  if (schedule === '') return undefined
  if (savedReport?.recipient && schedule === savedReport.schedule)
    return `${savedReport.recipient} gets a link by email, and signs in to see the report`
  return 'You get a link by email, and sign in to see the report'
}

const EmailField = ({ choices, savedReport }: Pick<SavedReportDialogProps, 'choices' | 'savedReport'>) => {
  const { watch } = useFormContext<SavedReportForm>()
  return (
    <SelectField
      name="schedule"
      label={labels.schedule}
      options={scheduleOptions(choices)}
      hint={emailHint(watch('schedule'), savedReport)}
    />
  )
}

type FieldsProps = Omit<SavedReportDialogProps, 'open'>

/** The form of a new or a saved report. A saved one keeps its choices, unless it takes those of the screen. */
const useSavedReportForm = ({ studioId, choices, savedReport, onClose }: FieldsProps) => {
  const { mutate: create } = useStaffMutation(postSavedReport)
  const { mutate: replace } = useStaffMutation(putSavedReport)
  const toDraft = ({ name, schedule, takesScreen }: SavedReportForm): SavedReportDraft => {
    const savedChoices = savedReport && !takesScreen ? savedReport.choices : choices
    return { name: name.trim(), choices: savedChoices, schedule: hasDays(savedChoices) ? scheduleOf(schedule) : null }
  }
  return useRecordForm<SavedReportForm, Pick<SavedReport, 'name' | 'schedule' | 'version'>>({
    name: `studio ${studioId} saved report ${savedReport?.id ?? JSON.stringify(choices)}`,
    record: savedReport ?? { name: '', schedule: null, version: 0 },
    toVersionedValues: ({ name, schedule, version }) => ({
      values: { name, schedule: schedule ?? '', takesScreen: false },
      version,
    }),
    rules: draftRules(savedReportRules, toDraft),
    save: async ({ values, version }) => {
      const body = toDraft(values)
      const answer = savedReport
        ? await replace({ params: { studioId, id: savedReport.id }, body: { ...body, version } }, { onError: 'silent' })
        : await create({ params: { studioId }, body }, { onError: 'silent' })
      if (!answer.ok) return answer
      toast('Report saved', 'success')
      onClose(answer.data)
      return answer
    },
    ...(savedReport && {
      read: () => authorizedRequest(getSavedReport, { params: { studioId, id: savedReport.id } }),
    }),
  })
}

const DeleteButton = ({ studioId, savedReport, onClose }: FieldsProps & { savedReport: SavedReport }) => {
  const { mutate, busy } = useStaffMutation(deleteSavedReport)
  const { id, name, choices, schedule } = savedReport
  const remove = async () => {
    const message = schedule === null ? undefined : 'Its emails stop.'
    if (!(await confirm({ title: `Delete “${name}”?`, message, confirmText: 'Delete', danger: true }))) return
    const answer = await mutate({ params: { studioId, id } })
    if (answer.ok) onClose({ choices })
  }
  return (
    <Button variant="danger" className={styles.remove} loading={busy} onClick={() => void remove()}>
      Delete saved report
    </Button>
  )
}

const SavedReportFields = (props: FieldsProps) => {
  // The list is fetched again after a save, while the dialog closes: the form stays that of the report it was opened for.
  const [opened] = useState(props)
  const { choices, savedReport } = opened
  const edit = useSavedReportForm({ ...opened, onClose: props.onClose })
  const isChanged = savedReport !== undefined && !haveSameChoices(savedReport.choices, choices)
  return (
    <>
      <EditForm edit={edit} labels={labels} saveText="Save">
        {!savedReport && <p>Keeps “{reportOf(choices).title}” with the dates and filters that the screen shows now.</p>}
        <TextField name="name" label={labels.name} required maxLength={60} />
        {hasDays(savedReport?.choices ?? choices) ? (
          <EmailField choices={savedReport?.choices ?? choices} savedReport={savedReport} />
        ) : (
          <p>{savedReportMessages.noDays}</p>
        )}
        {isChanged && <CheckField name="takesScreen" label={labels.takesScreen} />}
      </EditForm>
      {savedReport && <DeleteButton {...props} savedReport={savedReport} />}
    </>
  )
}

/** Saves the choices on the screen under a name, or edits a saved report. */
export const SavedReportDialog = ({ open, onClose, ...rest }: SavedReportDialogProps) => (
  <Dialog
    open={open}
    onClose={() => onClose()}
    title={rest.savedReport ? 'Edit saved report' : 'Save this report'}
    size="small"
  >
    <SavedReportFields {...rest} onClose={onClose} />
  </Dialog>
)

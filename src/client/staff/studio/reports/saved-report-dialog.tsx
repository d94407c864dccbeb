import { draftRules } from '#client/staff/kit/form/draft-rules.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { deleteSavedReport, postSavedReport, putSavedReport, type SavedReport } from '#contract/studio/saved-reports.ts'
import { studioReports } from '#domain/studio/reports.ts'
import {
  type ReportChoices,
  type ReportSchedule,
  reportSchedules,
  type SavedReportDraft,
  savedReportMessages,
  savedReportRules,
  studioReportOf,
} from '#domain/studio/saved-report.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './saved-reports.module.css'

type SavedReportForm = { name: string; schedule: ReportSchedule | '' }

const labels: Readonly<Record<keyof SavedReportForm, string>> = { name: 'Name', schedule: 'Email' }

const scheduleOptions = [
  { value: '', label: 'Never' },
  { value: 'weekly', label: 'Each Sunday, about the week before' },
  { value: 'monthly', label: 'On the first of each month, about the month before' },
]

const emailHint = (recipient: string) => `A link for ${recipient}, who signs in to see it`
const ownEmailHint = 'A link for you. It asks you to sign in, and no amounts are in the email'

const scheduleOf = (value: string): ReportSchedule | null => reportSchedules.find((name) => name === value) ?? null

type SavedReportDialogProps = {
  studioId: number
  /** The choices on the screen. */
  choices: ReportChoices
  /** The saved report with these choices, if there is one. */
  current: SavedReport | undefined
  open: boolean
  onClose: () => void
}

const toForm = ({ name, schedule, version }: SavedReport) => ({
  values: { name, schedule: schedule ?? ('' as const) },
  version,
})

const SavedReportFields = ({ studioId, choices, current, onClose }: Omit<SavedReportDialogProps, 'open'>) => {
  const { mutate: create } = useStaffMutation(postSavedReport)
  const { mutate: replace } = useStaffMutation(putSavedReport)
  const { mutate: remove, busy } = useStaffMutation(deleteSavedReport)
  const toDraft = ({ name, schedule }: SavedReportForm): SavedReportDraft => ({
    name: name.trim(),
    choices,
    schedule: scheduleOf(schedule),
  })
  const edit = useEditForm<SavedReportForm>({
    name: `studio ${studioId} saved report ${current?.id ?? 'new'}`,
    saved: current ? toForm(current) : { values: { name: '', schedule: '' }, version: 0 },
    rules: draftRules(savedReportRules, toDraft),
    save: async ({ values, version }) => {
      const body = toDraft(values)
      const answer = current
        ? await replace({ params: { studioId, id: current.id }, body: { ...body, version } }, { onError: 'silent' })
        : await create({ params: { studioId }, body }, { onError: 'silent' })
      if (!answer.ok) return answer
      toast('The report is saved', 'success')
      onClose()
      return { ...answer, data: toForm(answer.data) }
    },
  })
  const removeCurrent = async ({ id, name }: SavedReport) => {
    if (!(await confirm({ title: `Delete “${name}”?`, confirmText: 'Delete', danger: true }))) return
    const answer = await remove({ params: { studioId, id } })
    if (answer.ok) onClose()
  }
  return (
    <>
      <EditForm edit={edit} labels={labels} saveText="Save report">
        <TextField name="name" label={labels.name} required maxLength={60} />
        {studioReports[studioReportOf(choices.report)].hasDays ? (
          <SelectField
            name="schedule"
            label={labels.schedule}
            options={scheduleOptions}
            hint={current?.recipient ? emailHint(current.recipient) : ownEmailHint}
          />
        ) : (
          <p>{savedReportMessages.noDays}</p>
        )}
      </EditForm>
      {current && (
        <Button variant="danger" className={styles.remove} loading={busy} onClick={() => void removeCurrent(current)}>
          Delete saved report
        </Button>
      )}
    </>
  )
}

/** Saves the choices on the screen under a name, or edits what is saved. */
export const SavedReportDialog = ({ open, onClose, ...rest }: SavedReportDialogProps) => (
  <Dialog open={open} onClose={onClose} title={rest.current ? 'Saved report' : 'Save this report'} size="small">
    <SavedReportFields {...rest} onClose={onClose} />
  </Dialog>
)

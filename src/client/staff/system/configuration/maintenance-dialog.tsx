import { fromDateTimeInput, toDateTimeInput } from '#client/staff/kit/form/datetime-input.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getConfiguration, type PlatformConfiguration, putMaintenance } from '#contract/system/configuration.ts'
import { type MaintenancePlan, maintenanceRules, maxMessageLength } from '#domain/configuration/maintenance.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

export type Maintenance = PlatformConfiguration['maintenance']

/** Times are local times of this device, and the hours are text, until they are saved. */
type Model = { isOn: boolean; message: string; from: string; until: string; noticeHours: string }

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

const toModel = ({ isOn, message, from, until, noticeHours }: Maintenance): Model => ({
  ...{ isOn, message, noticeHours: String(noticeHours) },
  from: toDateTimeInput(from, timeZone),
  until: toDateTimeInput(until, timeZone),
})

const toPlan = ({ isOn, message, from, until, noticeHours }: Model): MaintenancePlan => ({
  ...{ isOn, message, noticeHours: parseNumber(noticeHours) },
  from: fromDateTimeInput(from, timeZone),
  until: fromDateTimeInput(until, timeZone),
})

const rules = parsedRules(maintenanceRules, toPlan)

const labels = {
  message: 'Message',
  from: 'Closes',
  until: 'Opens again',
  noticeHours: 'Announced this many hours before',
} as const

type MaintenanceDialogProps = { maintenance: Maintenance; onClose: () => void }

/** Edits the message and the planned window of the maintenance. */
export const MaintenanceDialog = ({ maintenance, onClose }: MaintenanceDialogProps) => {
  const { mutate } = useStaffMutation(putMaintenance)
  const edit = useRecordForm<Model, Maintenance>({
    name: 'maintenance',
    record: maintenance,
    toVersionedValues: (saved) => ({ values: toModel(saved), version: saved.version }),
    rules,
    save: async ({ values, version }) => {
      const answer = await mutate({ body: { ...toPlan(values), version } }, { onError: 'silent' })
      return answer.ok ? { ...answer, data: answer.data.maintenance } : answer
    },
    read: async () => {
      const answer = await authorizedRequest(getConfiguration)
      return answer.ok ? { ...answer, data: answer.data.maintenance } : answer
    },
    onSaved: () => {
      toast('The maintenance is saved', 'success')
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Message and window" size="small">
      <EditForm edit={edit} labels={labels}>
        <TextField
          name="message"
          label={labels.message}
          hint="What parents and staff read while it is closed"
          type="textarea"
          rows={3}
          maxLength={maxMessageLength}
          optional
        />
        <TextField name="from" label={labels.from} hint={`In ${timeZone}`} type="datetime-local" optional />
        <TextField name="until" label={labels.until} type="datetime-local" optional />
        <TextField
          name="noticeHours"
          label={labels.noticeHours}
          hint="To staff on every screen, to parents with the packages; 0 for no announcement"
          inputMode="numeric"
          required
        />
      </EditForm>
    </Dialog>
  )
}

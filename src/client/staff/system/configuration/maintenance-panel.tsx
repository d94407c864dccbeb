import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { putMaintenance } from '#contract/system/configuration.ts'
import type { MaintenanceState } from '#domain/configuration/maintenance.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './configuration.module.css'
import { type Maintenance, MaintenanceDialog } from './maintenance-dialog.tsx'

const stateNames: Readonly<Record<MaintenanceState, string>> = {
  open: 'Open',
  announced: 'Open, maintenance is announced',
  closed: 'Closed for maintenance',
}
const stateTones: Readonly<Record<MaintenanceState, BadgeTone>> = {
  open: 'success',
  announced: 'attention',
  closed: 'attention',
}

const windowText = ({ from, until, noticeHours }: Maintenance): string | null => {
  if (from === null || until === null || Date.parse(until) <= Date.now()) return null
  const times = `Planned from ${formatMoment(from, undefined)} to ${formatMoment(until, undefined)}`
  return noticeHours === 0
    ? `${times}, without an announcement.`
    : `${times}, announced from ${noticeHours} hours before.`
}

const Summary = ({ maintenance }: { maintenance: Maintenance }) => {
  const { state, isForced, message, changedBy, changedAt } = maintenance
  const plannedWindow = windowText(maintenance)
  return (
    <>
      <p role="status">
        <StateBadge tone={stateTones[state]}>{stateNames[state]}</StateBadge>
      </p>
      {isForced && (
        <p>
          MAINTENANCE=on in the environment of the server closes it. Remove it and start the server again to open it.
        </p>
      )}
      {plannedWindow && <p>{plannedWindow}</p>}
      <p>{message === '' ? 'People read the usual message while it is closed.' : `People read: “${message}”`}</p>
      {changedAt !== null && (
        <p className={styles.origin}>
          Changed by {changedBy ?? 'a former administrator'} on {formatMoment(changedAt, undefined)}
        </p>
      )}
    </>
  )
}

const useSwitch = (maintenance: Maintenance) => {
  const { mutate, busy } = useStaffMutation(putMaintenance)
  const { isOn, message, from, until, noticeHours, version } = maintenance
  const plan = { isOn, message, from, until, noticeHours, version }
  const close = async () => {
    const title = 'Close the product now?'
    const text =
      'Parents and staff see the message until you open it again. Parents can use their cart on the device, but cannot pay.'
    if (!(await confirm({ title, message: text, confirmText: 'Close now', danger: true }))) return
    if ((await mutate({ body: { ...plan, isOn: true } })).ok) toast('The product is closed for maintenance', 'success')
  }
  const open = async () => {
    // Without this, a window that is not over would keep it closed.
    const isInWindow = from !== null && Date.parse(from) <= Date.now()
    const body = { ...plan, isOn: false, ...(isInWindow && { from: null, until: null }) }
    if ((await mutate({ body })).ok) toast('The product is open again', 'success')
  }
  return { close, open, busy }
}

/** Closes the product for maintenance now or in a planned window, with a message. */
export const MaintenancePanel = ({ maintenance }: { maintenance: Maintenance }) => {
  const { close, open, busy } = useSwitch(maintenance)
  const [isPlanning, setPlanning] = useState(false)
  const { state, isForced } = maintenance
  return (
    <Panel
      title="Maintenance"
      lead="While the product is closed, only administrators can sign in and work. Carts stay on parents’ devices and are sent when it opens."
    >
      <Summary maintenance={maintenance} />
      <div className={styles.actions}>
        {state === 'closed' ? (
          !isForced && (
            <Button loading={busy} onClick={() => void open()}>
              Open again
            </Button>
          )
        ) : (
          <Button variant="secondary" loading={busy} onClick={() => void close()}>
            Close now
          </Button>
        )}
        <Button variant="secondary" onClick={() => setPlanning(true)}>
          Message and window
        </Button>
      </div>
      {isPlanning && <MaintenanceDialog maintenance={maintenance} onClose={() => setPlanning(false)} />}
    </Panel>
  )
}

import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { type PlatformConfiguration, type PlatformSetting, putSetting } from '#contract/system/configuration.ts'
import { platformSettings, settingLabel } from '#domain/configuration/platform-settings.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './configuration.module.css'
import { SettingDialog } from './setting-dialog.tsx'

/** Where the value of a setting comes from. */
const originOf = ({ key, unchangedValue, isChanged, variable, changedBy, changedAt }: PlatformSetting): string => {
  const when = changedAt === null ? '' : ` on ${formatMoment(changedAt, undefined)}`
  const unchanged = `${settingLabel(key, unchangedValue)}${variable === null ? '' : ` from ${variable}`}`
  if (isChanged) return `Changed by ${changedBy ?? 'a former administrator'}${when}; the default is ${unchanged}`
  const origin = variable === null ? 'Default' : `From the environment of the server, ${variable}`
  return changedAt === null ? origin : `${origin}; reset by ${changedBy ?? 'a former administrator'}${when}`
}

type SettingItemProps = { setting: PlatformSetting; onChange: () => void }

const SettingItem = ({ setting, onChange }: SettingItemProps) => {
  const { key, value, isChanged, version } = setting
  const { label, description } = platformSettings[key]
  const { mutate, busy } = useStaffMutation(putSetting)
  const reset = async () => {
    const answer = await mutate({ params: { key }, body: { value: null, version } })
    if (answer.ok) toast(`“${label}” is ${settingLabel(key, setting.unchangedValue)} again`, 'success')
  }
  return (
    <li className={styles.setting}>
      <div>
        <h3>{label}</h3>
        <p className={styles.description}>{description}</p>
        <div className={styles.current}>
          <p className={styles.value}>{settingLabel(key, value)}</p>
          <p className={styles.origin}>{originOf(setting)}</p>
        </div>
      </div>
      <div className={styles.buttons}>
        <Button variant="secondary" size="sm" aria-label={`Change “${label}”`} onClick={onChange}>
          Change
        </Button>
        {isChanged && (
          <Button
            variant="quiet"
            size="sm"
            loading={busy}
            aria-label={`Reset to default: “${label}”`}
            onClick={() => void reset()}
          >
            Reset to default
          </Button>
        )}
      </div>
    </li>
  )
}

type SettingListProps = { configuration: PlatformConfiguration; settings: readonly PlatformSetting[] }

/** Settings with their values, who changed them, and a dialog to change one. */
export const SettingList = ({ configuration, settings }: SettingListProps) => {
  const [edited, setEdited] = useState<PlatformSetting['key'] | null>(null)
  return (
    <>
      <ul className={styles.settings}>
        {settings.map((setting) => (
          <SettingItem key={setting.key} setting={setting} onChange={() => setEdited(setting.key)} />
        ))}
      </ul>
      {edited && <SettingDialog configuration={configuration} settingKey={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

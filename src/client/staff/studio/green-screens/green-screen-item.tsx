import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import {
  deleteGreenScreen,
  putGreenScreen,
  putGreenScreenOrder,
  type StaffGreenScreen,
} from '#contract/studio/green-screens.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { IconButton } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './green-screens.module.css'

type GreenScreenItemProps = {
  job: JobParams
  screen: StaffGreenScreen
  /** Ids of all backgrounds of the job, in order. */
  ids: readonly number[]
  index: number
}

const usageLabel = ({ cartCount, orderCount }: StaffGreenScreen): string => {
  const counts = [
    ...(cartCount > 0 ? [`${cartCount} in carts`] : []),
    ...(orderCount > 0 ? [`${orderCount} ordered`] : []),
  ]
  return counts.length > 0 ? counts.join(', ') : 'Not chosen yet'
}

/** A background in the list: preview, name, visibility and position. */
export const GreenScreenItem = ({ job: { studioId, jobId }, screen, ids, index }: GreenScreenItemProps) => {
  const { id, name, isEnabled, version } = screen
  const params = { studioId, jobId, id }
  const [typedName, setTypedName] = useState<string | null>(null)
  const put = useStaffMutation(putGreenScreen)
  const remove = useStaffMutation(deleteGreenScreen)
  const reorder = useStaffMutation(putGreenScreenOrder)
  const isUsed = screen.cartCount + screen.orderCount > 0

  const change = async (changes: { name?: string; isEnabled?: boolean }) => {
    const answer = await put.mutate({ params, body: { name, isEnabled, version, ...changes } })
    if (answer.ok) setTypedName(null)
  }
  const rename = () => {
    const nextName = typedName?.trim() ?? ''
    if (nextName !== '' && nextName !== name) void change({ name: nextName })
    else if (nextName === name) setTypedName(null)
  }
  const move = (by: -1 | 1) => {
    const nextIds = ids.toSpliced(index, 1).toSpliced(index + by, 0, id)
    void reorder.mutate({ params: { studioId, jobId }, body: { ids: nextIds } })
  }
  const removeAfterConfirmation = async () => {
    const isSure = await confirm({ title: `Remove “${name}”?`, confirmText: 'Remove', danger: true })
    if (isSure) await remove.mutate({ params })
  }
  return (
    <li className={styles.background}>
      <div className={styles.preview}>
        {screen.thumbnailUrl ? (
          <img src={screen.thumbnailUrl} alt={name} />
        ) : (
          <p role="status">{screen.state === 'refused' ? screen.refusal : 'Processing…'}</p>
        )}
      </div>
      <div className={styles.fields}>
        <Field label="Name" errors={typedName?.trim() === '' ? [validationMessages.required] : []}>
          <TextInput
            value={typedName ?? name}
            maxLength={60}
            onValue={setTypedName}
            onBlur={rename}
            onKeyDown={(event) => event.key === 'Enter' && rename()}
          />
        </Field>
        <Checkbox
          label="Customers may choose it"
          checked={isEnabled}
          onValue={(enabled) => void change({ isEnabled: enabled })}
        />
        <small>{usageLabel(screen)}</small>
      </div>
      <div className={styles.actions}>
        <IconButton icon={ArrowUp} label={`Move ${name} up`} disabled={index === 0} onClick={() => move(-1)} />
        <IconButton
          icon={ArrowDown}
          label={`Move ${name} down`}
          disabled={index === ids.length - 1}
          onClick={() => move(1)}
        />
        <IconButton
          icon={Trash}
          label={isUsed ? `${name} can’t be removed: switch it off` : `Remove ${name}`}
          disabled={isUsed}
          onClick={() => void removeAfterConfirmation()}
        />
      </div>
    </li>
  )
}

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
  const parts = [
    ...(cartCount > 0 ? [`${cartCount} in carts`] : []),
    ...(orderCount > 0 ? [`${orderCount} ordered`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'Nobody has chosen it yet'
}

/** One background: preview, name, visibility and position. */
export const GreenScreenItem = ({ job: { studioId, jobId }, screen, ids, index }: GreenScreenItemProps) => {
  const { id, name, isEnabled, version } = screen
  const params = { studioId, jobId, id }
  const [typed, setTyped] = useState<string | null>(null)
  const put = useStaffMutation(putGreenScreen)
  const remove = useStaffMutation(deleteGreenScreen)
  const order = useStaffMutation(putGreenScreenOrder)
  const isUsed = screen.cartCount + screen.orderCount > 0

  const change = async (own: { name?: string; isEnabled?: boolean }) => {
    const answer = await put.mutate({ params, body: { name, isEnabled, version, ...own } })
    if (answer.ok) setTyped(null)
  }
  const rename = () => {
    const next = typed?.trim() ?? ''
    if (next !== '' && next !== name) void change({ name: next })
    else if (next === name) setTyped(null)
  }
  const move = (by: -1 | 1) => {
    const next = ids.toSpliced(index, 1).toSpliced(index + by, 0, id)
    void order.mutate({ params: { studioId, jobId }, body: { ids: next } })
  }
  const takeAway = async () => {
    const sure = await confirm({ title: `Remove “${name}”?`, confirmText: 'Remove', danger: true })
    if (sure) await remove.mutate({ params })
  }
  return (
    <li className={styles.background}>
      <div className={styles.picture}>
        {screen.thumbnailUrl ? (
          <img src={screen.thumbnailUrl} alt={name} />
        ) : (
          <p role="status">{screen.state === 'refused' ? screen.refusal : 'Getting ready…'}</p>
        )}
      </div>
      <div className={styles.words}>
        <Field label="Name" errors={typed?.trim() === '' ? [validationMessages.required] : []}>
          <TextInput
            value={typed ?? name}
            maxLength={60}
            onValue={setTyped}
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
      <div className={styles.does}>
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
          onClick={() => void takeAway()}
        />
      </div>
    </li>
  )
}

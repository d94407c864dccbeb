import { useState } from 'react'
import { endSupportAccess, postSupportAccess, type SupportAccess } from '#contract/studio/support-access.ts'
import { type ConsentHours, consentHours } from '#domain/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { toast } from '#ui/toast/toast.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import { hoursLabel } from './access-labels.ts'
import styles from './consent-controls.module.css'

type ConsentControlsProps = {
  studioId: number
  /** Undefined until one is chosen. */
  administrator: { id: number; name: string } | undefined
  /** Refuses the request that waits. */
  onRefuse?: () => void
}

/** Lets an administrator in with one tap, for one of the times. */
export const ConsentControls = ({ studioId, administrator, onRefuse }: ConsentControlsProps) => {
  const [mayChange, setMayChange] = useState(false)
  const [hasSharpPhotos, setSharpPhotos] = useState(false)
  const { mutate, busy } = useStaffMutation(postSupportAccess)
  const allow = async (hours: ConsentHours) => {
    if (!administrator) return
    const body = { administratorId: administrator.id, hours, mayChange, hasSharpPhotos }
    const answer = await mutate({ params: { studioId }, body })
    if (answer.ok) toast(`${administrator.name} has access for ${hoursLabel(hours)}`, 'success')
  }
  return (
    <div className={styles.controls}>
      <Checkbox label="Allow changes" hint="Otherwise they can only read" checked={mayChange} onValue={setMayChange} />
      <Checkbox
        label="Show images of children"
        hint="Otherwise images are blurred, and files with images cannot be downloaded"
        checked={hasSharpPhotos}
        onValue={setSharpPhotos}
      />
      <div className={styles.buttons}>
        {consentHours.map((hours) => (
          <Button
            key={hours}
            variant="secondary"
            disabled={!administrator}
            loading={busy}
            onClick={() => void allow(hours)}
          >
            Allow {hoursLabel(hours)}
          </Button>
        ))}
        {onRefuse && (
          <Button variant="quiet" onClick={onRefuse}>
            Refuse
          </Button>
        )}
      </div>
    </div>
  )
}

/** Ends an access at once, or refuses the request. */
export const useEndAccess = (studioId: number) => {
  const { mutate, busy } = useStaffMutation(endSupportAccess)
  const end = async ({ id, administratorName }: SupportAccess) => {
    const answer = await mutate({ params: { studioId, id } })
    if (answer.ok) toast(`${administratorName} has no access to your studio`)
  }
  return { end: (access: SupportAccess) => void end(access), busy }
}

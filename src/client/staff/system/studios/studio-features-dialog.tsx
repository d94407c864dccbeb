import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { listFeaturesOfStudio, putFeatureOfStudio } from '#contract/system/platform-features.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './studio-features.module.css'

type StudioFeaturesDialogProps = { studio: { id: number; name: string }; onClose: () => void }

/** Turns the features of a studio on and off. */
export const StudioFeaturesDialog = ({ studio, onClose }: StudioFeaturesDialogProps) => {
  const query = useStaffQuery(listFeaturesOfStudio, { params: { id: studio.id } })
  const { mutate, busy } = useStaffMutation(putFeatureOfStudio)
  // A choice is shown at once, and taken back if it fails.
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({})
  const turn = async (featureId: number, name: string, isOn: boolean) => {
    setChosen((current) => ({ ...current, [featureId]: isOn }))
    const answer = await mutate({ params: { id: studio.id, featureId }, body: { isOn } })
    if (answer.ok) toast(`${name} is ${isOn ? 'on' : 'off'}`, 'success')
    else setChosen((current) => ({ ...current, [featureId]: !isOn }))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Features of ${studio.name}`}
      description="A change applies to the studio’s next request."
      size="small"
    >
      <QueryBoundary query={query}>
        {(features) => (
          <ul className={styles.features} aria-busy={busy}>
            {features.map(({ id, name, description, isOn }) => (
              <li key={id}>
                <Checkbox
                  label={name}
                  hint={description}
                  checked={chosen[id] ?? isOn}
                  onValue={(checked) => void turn(id, name, checked)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryBoundary>
    </Dialog>
  )
}

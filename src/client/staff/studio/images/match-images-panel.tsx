import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type MatchRun, matchImages } from '#contract/studio/image-matching.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { ImageParams } from './image-params.ts'
import styles from './images.module.css'
import { MatchProgress } from './match-progress.tsx'

const matchMethods = [
  { value: 'code', label: 'By code' },
  { value: 'fileName', label: 'By file name' },
  { value: 'shooting', label: 'By order of shooting' },
]

/** Rematches all unmatched images: after an import, or with the clock offset of a camera. */
export const MatchImagesPanel = ({ job, last }: { job: ImageParams; last: MatchRun | undefined }) => {
  const [by, setBy] = useState<MatchMethod>('fileName')
  const [minutes, setMinutes] = useState('')
  const { mutate, busy } = useStaffMutation(matchImages)
  const match = async () => {
    const ahead = Math.round(parseNumber(minutes) * 60)
    const body = { by, ...(by === 'shooting' && Number.isFinite(ahead) && { cameraAheadSeconds: ahead }) }
    await mutate({ params: job, body })
  }
  return (
    <div className={styles.tray}>
      <Field label="Match all that wait">
        <Select
          value={by}
          options={matchMethods}
          onValue={(value) => setBy(value === 'code' || value === 'shooting' ? value : 'fileName')}
        />
      </Field>
      {by === 'shooting' && (
        <Field label="Camera’s clock is fast by, in minutes" className={styles.minutes}>
          <TextInput inputMode="numeric" placeholder="0" value={minutes} onValue={setMinutes} />
        </Field>
      )}
      <Button variant="secondary" loading={busy} onClick={match}>
        Match
      </Button>
      {last && <MatchProgress run={last} />}
    </div>
  )
}

import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type MatchRun, matchImages } from '#contract/studio/images/image-matching.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './images.module.css'
import { MatchProgress } from './match-progress.tsx'
import type { ImageParams } from './use-image-list.ts'

const matchMethods = [
  { value: 'code', label: 'By code' },
  { value: 'fileName', label: 'By file name' },
  { value: 'shooting', label: 'By camera order' },
]

type MatchImagesPanelProps = { job: ImageParams; lastRun: MatchRun | undefined }

/** Starts a match run for all unmatched images, for example after an import, or with the clock offset of a camera. */
export const MatchImagesPanel = ({ job, lastRun }: MatchImagesPanelProps) => {
  const [method, setMethod] = useState<MatchMethod>('fileName')
  const [minutes, setMinutes] = useState('')
  const { mutate, busy } = useStaffMutation(matchImages)
  const match = async () => {
    const cameraAheadSeconds = Math.round(parseNumber(minutes) * 60)
    const hasOffset = method === 'shooting' && Number.isFinite(cameraAheadSeconds)
    await mutate({ params: job, body: { by: method, ...(hasOffset && { cameraAheadSeconds }) } })
  }
  return (
    <div className={styles.tray}>
      <Field label="Match all unmatched">
        <Select
          value={method}
          options={matchMethods}
          onValue={(value) => setMethod(value === 'code' || value === 'shooting' ? value : 'fileName')}
        />
      </Field>
      {method === 'shooting' && (
        <Field label="Camera clock ahead by, in minutes" className={styles.minutes}>
          <TextInput inputMode="numeric" placeholder="0" value={minutes} onValue={setMinutes} />
        </Field>
      )}
      <Button variant="secondary" loading={busy} onClick={match}>
        Match
      </Button>
      {lastRun && <MatchProgress run={lastRun} />}
    </div>
  )
}

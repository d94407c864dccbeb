import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { getWatermarkSample } from '#contract/system/watermarks.ts'
import { type WatermarkDraft, watermarkRules } from '#domain/platform/watermark.ts'
import { isValid, validate } from '#domain/shared/validators.ts'
import styles from './watermarks.module.css'

/** How long typing must pause before the sample is drawn again. */
const pauseMs = 300

const useDelayed = (value: string): string => {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return delayed
}

type SampleQuery = Infer<(typeof getWatermarkSample)['query']>

const queryOf = ({ kind, text, imageHash, opacityPercent, placement }: WatermarkDraft): SampleQuery => ({
  ...{ opacityPercent, placement },
  ...(kind === 'image' && imageHash !== null ? { imageHash } : { text: text.trim() }),
})

/** A light and a dark photo with a watermark that may not be saved yet, drawn by the server as it draws previews. */
export const WatermarkSample = ({ draft }: { draft: WatermarkDraft }) => {
  const isDrawable = isValid(validate({ ...draft, name: 'Sample' }, watermarkRules))
  const query: SampleQuery | null = JSON.parse(useDelayed(JSON.stringify(isDrawable ? queryOf(draft) : null)))
  const { data, error } = useStaffQuery(getWatermarkSample, query ? { query } : { enabled: false })
  if (error) return <p role="alert">{error.errors[0]}</p>
  if (!data) return <p>Images with the watermark appear here.</p>
  return (
    <ul className={styles.samples}>
      <li>
        <img src={data.light} alt="The watermark on a light background" />
      </li>
      <li>
        <img src={data.dark} alt="The watermark on a dark background" />
      </li>
    </ul>
  )
}

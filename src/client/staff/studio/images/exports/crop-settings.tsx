import { formatPercent } from '#domain/studio/rates.ts'
import { joinMessages } from '#ui/form/message-list.tsx'
import { Slider } from '#ui/form/slider.tsx'
import type { SettingsProps } from './export-form-parts.ts'
import styles from './exports.module.css'

const sliders = [
  { name: 'x', label: 'From the left', min: 0 },
  { name: 'y', label: 'From the top', min: 0 },
  { name: 'height', label: 'Height of the crop', min: 0.05 },
] as const

/** The crop to the head: its centre and height in the image, for images without a crop of an order. It is shown with the preview. */
export const CropSettings = ({ settings: { template }, errors, change }: SettingsProps) => (
  <fieldset className={styles.group}>
    <legend>Crop</legend>
    {sliders.map(({ name, label, min }) => {
      const percent = formatPercent(Math.round(template[name] * 100) * 100)
      return (
        <Slider
          key={name}
          label={label}
          min={min}
          max={1}
          step={0.01}
          value={template[name]}
          displayedValue={percent}
          valueText={percent}
          onValue={(value) => change({ template: { ...template, [name]: value } })}
        />
      )
    })}
    {errors.template && <p className={styles.error}>{joinMessages(errors.template)}</p>}
  </fieldset>
)

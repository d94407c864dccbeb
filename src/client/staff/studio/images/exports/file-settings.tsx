import { namePlaceholders } from '#domain/image-exports/export-file-names.ts'
import { exportPixels, exportQuality, isNamedByStudentId } from '#domain/image-exports/export-settings.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { SettingsProps } from './export-form-parts.ts'
import styles from './exports.module.css'

const placeholderHint = `Placeholders: ${namePlaceholders.map((name) => `{${name}}`).join(' ')}`

type NumberFieldProps = {
  label: string
  value: number
  range: { min: number; max: number }
  errors?: readonly string[] | undefined
  onValue: (value: number) => void
}

/** A whole number. An empty field is 0, which the server refuses. */
const NumberField = ({ label, value, range, errors, onValue }: NumberFieldProps) => (
  <Field label={label} errors={errors}>
    <TextInput
      type="number"
      {...range}
      value={value === 0 ? '' : String(value)}
      onValue={(text) => onValue(Math.trunc(Number(text)) || 0)}
    />
  </Field>
)

/** The name of the folder, and the size, the quality and the names of the files. */
export const FileSettings = ({ settings, errors, change }: SettingsProps) => (
  <div className={styles.fields}>
    <Field label="Folder name" errors={errors.volume}>
      <TextInput value={settings.volume} maxLength={32} onValue={(volume) => change({ volume })} />
    </Field>
    <NumberField
      label="Width in pixels"
      value={settings.width}
      range={exportPixels}
      errors={errors.width}
      onValue={(width) => change({ width })}
    />
    <NumberField
      label="Height in pixels"
      value={settings.height}
      range={exportPixels}
      onValue={(height) => change({ height })}
    />
    <NumberField
      label="JPEG quality"
      value={settings.quality}
      range={exportQuality}
      errors={errors.quality}
      onValue={(quality) => change({ quality })}
    />
    {!isNamedByStudentId(settings.format) && (
      <Field label="File names" hint={placeholderHint} errors={errors.namePattern} className={styles.wide}>
        <TextInput value={settings.namePattern} onValue={(namePattern) => change({ namePattern })} />
      </Field>
    )}
  </div>
)

import { useFormContext, useWatch } from 'react-hook-form'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { accentBackgrounds, contrast, readableAccent } from '#ui/theme/accent.ts'
import styles from './accent-field.module.css'

/** Shown in the color picker while the studio has no color. */
const defaultAccent = '#1d4e79'

const themes = [
  { theme: 'light', background: accentBackgrounds.light[2], label: 'Light' },
  { theme: 'dark', background: accentBackgrounds.dark[2], label: 'Dark' },
] as const

const accentDescription = (accent: string, readableColor: string, background: string): string => {
  const ratio = contrast(readableColor, background).toFixed(1)
  const isUnchanged = readableColor.toLowerCase() === accent.toLowerCase()
  const description = isUnchanged ? 'your color as it is' : `shown as ${readableColor}, to be readable`
  return `${description}; contrast ${ratio} to 1`
}

const AccentPreview = ({ accent }: { accent: string }) => {
  const readable = readableAccent(accent)
  if (!readable) return null
  return (
    <ul className={styles.themes}>
      {themes.map(({ theme, background, label }) => (
        <li key={theme}>
          <div className={styles.sampleBackground} style={{ background }}>
            <span className={styles.sample} style={{ background: readable.accent[theme], color: readable.ink[theme] }}>
              Add to cart
            </span>
            <span style={{ color: readable.accent[theme] }}>See all photos</span>
          </div>
          <p className={styles.description}>
            {label}: {accentDescription(accent, readable.accent[theme], background)}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The studio's brand color as text and with a color picker, with a preview in both themes. */
export const AccentField = ({ name }: { name: string }) => {
  const { setValue } = useFormContext()
  const accent: string = useWatch({ name }) ?? ''
  const isColor = readableAccent(accent) !== undefined && accent.length === 7
  return (
    <div className={styles.field}>
      <div className={styles.row}>
        <TextField
          name={name}
          label="Brand color"
          optional
          hint="Such as #1f6f78. Where it would be hard to read, the nearest readable shade is used"
          maxLength={7}
          autoCapitalize="none"
          spellCheck={false}
          className={styles.textField}
        />
        <input
          type="color"
          aria-label="Pick the brand color"
          className={styles.picker}
          value={isColor ? accent.toLowerCase() : defaultAccent}
          onChange={({ currentTarget }) =>
            setValue(name, currentTarget.value, { shouldDirty: true, shouldValidate: true })
          }
        />
      </div>
      {isColor && <AccentPreview accent={accent} />}
    </div>
  )
}

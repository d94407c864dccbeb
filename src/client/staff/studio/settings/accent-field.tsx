import { useFormContext, useWatch } from 'react-hook-form'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { accentBackgrounds, contrast, readableAccent } from '#ui/theme/accent.ts'
import styles from './accent-field.module.css'

/** Shown in the color picker while the studio has no color. */
const defaultAccent = '#1d4e79'

const themes = [
  { theme: 'light', ground: accentBackgrounds.light[2], label: 'Light' },
  { theme: 'dark', ground: accentBackgrounds.dark[2], label: 'Dark' },
] as const

const accentDescription = (typed: string, shown: string, ground: string): string => {
  const ratio = contrast(shown, ground).toFixed(1)
  const description =
    shown.toLowerCase() === typed.toLowerCase() ? 'your color as it is' : `shown as ${shown}, to be readable`
  return `${description}; contrast ${ratio} to 1`
}

const AccentPreview = ({ typed }: { typed: string }) => {
  const readable = readableAccent(typed)
  if (!readable) return null
  return (
    <ul className={styles.themes}>
      {themes.map(({ theme, ground, label }) => (
        <li key={theme}>
          <div className={styles.ground} style={{ background: ground }}>
            <span className={styles.sample} style={{ background: readable.accent[theme], color: readable.ink[theme] }}>
              Add to cart
            </span>
            <span style={{ color: readable.accent[theme] }}>See all pictures</span>
          </div>
          <p className={styles.words}>
            {label}: {accentDescription(typed, readable.accent[theme], ground)}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The studio's color, typed or picked, with a preview. */
export const AccentField = ({ name }: { name: string }) => {
  const { setValue } = useFormContext()
  const typed: string = useWatch({ name }) ?? ''
  const isColor = readableAccent(typed) !== undefined && typed.length === 7
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
          className={styles.typed}
        />
        <input
          type="color"
          aria-label="Pick the brand color"
          className={styles.picker}
          value={isColor ? typed.toLowerCase() : defaultAccent}
          onChange={({ currentTarget }) =>
            setValue(name, currentTarget.value, { shouldDirty: true, shouldValidate: true })
          }
        />
      </div>
      {isColor && <AccentPreview typed={typed} />}
    </div>
  )
}

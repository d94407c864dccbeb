import styles from '../customiser/customiser.module.css'
import { BackgroundOption } from './background-option.tsx'
import type { Background } from './package-backgrounds.ts'

type BackgroundChoiceProps = {
  part: number
  backgrounds: readonly Background[]
  chosen: number | null
  /** The chosen background applies to several prints. */
  several: boolean
  onChoose: (greenScreenId: number | null) => void
}

/** The note on the current choice. Never blocking: a print can be on white. */
const noteOf = ({ backgrounds, chosen, several }: BackgroundChoiceProps): string => {
  if (chosen === null) return 'Without a background the picture prints on white.'
  if (!backgrounds.some((one) => one.id === chosen))
    return `The background you chose is not on offer any more.${backgrounds.length > 0 ? ' Choose another.' : ''}`
  return several ? 'It is on every print of this package.' : ''
}

/** The background behind the cut-outs, for the whole package. */
export const BackgroundChoice = (props: BackgroundChoiceProps) => {
  const { part, backgrounds, chosen, onChoose } = props
  const name = `background-${part}`
  return (
    <fieldset className={styles.photos}>
      <legend className={styles.legend}>Background</legend>
      <div className={styles.strip}>
        <BackgroundOption
          name={name}
          label="No background"
          imageUrl={null}
          checked={chosen === null}
          onChoose={() => onChoose(null)}
        />
        {backgrounds.map((one) => (
          <BackgroundOption
            key={one.id}
            name={name}
            label={one.name}
            imageUrl={one.thumbnailUrl}
            checked={one.id === chosen}
            onChoose={() => onChoose(one.id)}
          />
        ))}
      </div>
      <p className={styles.note} aria-live="polite">
        {noteOf(props)}
      </p>
    </fieldset>
  )
}

import styles from '../customiser/customiser.module.css'
import { BackgroundOption } from './background-option.tsx'
import type { Background } from './package-backgrounds.ts'

type BackgroundChoiceProps = {
  part: number
  backgrounds: readonly Background[]
  chosenId: number | null
  /** The chosen background applies to several prints. */
  onSeveralPrints: boolean
  onChoose: (greenScreenId: number | null) => void
}

/** The note on the current choice. It never blocks, because a print can be on white. */
const noteOf = ({ backgrounds, chosenId, onSeveralPrints }: BackgroundChoiceProps): string => {
  if (chosenId === null) return 'No background: prints on white.'
  if (!backgrounds.some((background) => background.id === chosenId))
    return `The background you chose is no longer offered.${backgrounds.length > 0 ? ' Choose another.' : ''}`
  return onSeveralPrints ? 'It is on every print of this package.' : ''
}

/** The background behind the cut-outs, for the whole package. */
export const BackgroundChoice = (props: BackgroundChoiceProps) => {
  const { part, backgrounds, chosenId, onChoose } = props
  const name = `background-${part}`
  return (
    <fieldset className={styles.imageField}>
      <legend className={styles.legend}>Background</legend>
      <div className={styles.strip}>
        <BackgroundOption
          name={name}
          label="No background"
          imageUrl={null}
          checked={chosenId === null}
          onChoose={() => onChoose(null)}
        />
        {backgrounds.map((background) => (
          <BackgroundOption
            key={background.id}
            name={name}
            label={background.name}
            imageUrl={background.thumbnailUrl}
            checked={background.id === chosenId}
            onChoose={() => onChoose(background.id)}
          />
        ))}
      </div>
      <p className={styles.note} aria-live="polite">
        {noteOf(props)}
      </p>
    </fieldset>
  )
}

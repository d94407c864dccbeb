import { classNames } from '#ui/class-names.ts'
import styles from './background-option.module.css'
import shared from './image-option.module.css'

type BackgroundOptionProps = {
  /** Name of the radio group. */
  name: string
  words: string
  /** Null for no background. */
  picture: string | null
  checked: boolean
  onChoose: () => void
}

/** A background with its name. */
export const BackgroundOption = ({ name, words, picture, checked, onChoose }: BackgroundOptionProps) => (
  <label className={classNames(shared.choice, styles.option)}>
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    {picture === null ? <span className={styles.none} /> : <img src={picture} alt="" loading="lazy" />}
    <span className={styles.words}>{words}</span>
  </label>
)

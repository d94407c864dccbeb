import { classNames } from '#ui/class-names.ts'
import styles from './background-option.module.css'
import shared from './image-option.module.css'

type BackgroundOptionProps = {
  /** Name of the radio group. */
  name: string
  label: string
  /** Null for no background. */
  imageUrl: string | null
  checked: boolean
  onChoose: () => void
}

/** A background with its name. */
export const BackgroundOption = ({ name, label, imageUrl, checked, onChoose }: BackgroundOptionProps) => (
  <label className={classNames(shared.choice, styles.option)}>
    <input type="radio" name={name} checked={checked} onChange={onChoose} />
    {imageUrl === null ? <span className={styles.noBackground} /> : <img src={imageUrl} alt="" loading="lazy" />}
    <span className={styles.caption}>{label}</span>
  </label>
)

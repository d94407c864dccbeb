import type { Image } from '../../../contract/customer-find.ts'
import styles from './photo-option.module.css'

type PhotoOptionProps = {
  image: Image
  /** Of the pictures among which one is chosen. */
  name: string
  /** What the picture is, for those who can't see it. */
  words: string
  checked: boolean
  onChoose: () => void
}

/** A picture in a strip of which one is chosen; the strip says how tall they are (`--option-height`). */
export const PhotoOption = ({ image, name, words, checked, onChoose }: PhotoOptionProps) => (
  <label className={styles.option}>
    <input type="radio" name={name} checked={checked} onChange={onChoose} aria-label={words} />
    <img src={image.thumbnailUrl} alt="" width={image.width} height={image.height} loading="lazy" />
  </label>
)

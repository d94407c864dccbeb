import { type CSSProperties, memo } from 'react'
import type { Image } from '#contract/customer/discovery-calls.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon, type IconShape } from '#ui/icon.tsx'
import styles from './image-option.module.css'

type PhotoOptionProps = {
  image: Image
  /** Of the pictures among which one is chosen. */
  name: string
  /** What the picture is, for those who can't see it. */
  words: string
  /** Which of how many it is, from 1: those far away are not in the page. */
  place: number
  total: number
  /** Width / height. */
  shape: number
  checked: boolean
  /** A sign on the picture; `words` say what it stands for. */
  sign?: IconShape | undefined
  /** The same function from render to render: hundreds of these are drawn again only when they change. */
  onChoose: (image: Image) => void
}

/** A picture in a strip of which one is chosen. */
export const ImageOption = memo((props: PhotoOptionProps) => {
  const { image, name, words, place, total, shape, checked, sign, onChoose } = props
  return (
    // A custom property is no part of React's own list of styles.
    <label className={classNames(styles.choice, styles.option)} style={{ '--shape': shape } as CSSProperties}>
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={() => onChoose(image)}
        aria-label={words}
        aria-posinset={place}
        aria-setsize={total}
      />
      <img src={image.thumbnailUrl} alt="" width={image.width} height={image.height} loading="lazy" />
      {sign && (
        <span className={styles.sign}>
          <Icon of={sign} />
        </span>
      )}
    </label>
  )
})

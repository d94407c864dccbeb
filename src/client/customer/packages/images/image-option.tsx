import { type CSSProperties, memo } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon, type IconShape } from '#ui/icon.tsx'
import styles from './image-option.module.css'

type ImageOptionProps = {
  image: Image
  /** Name of the radio group. */
  name: string
  /** Accessible name of the image. */
  label: string
  /** Position from 1 (`aria-posinset`): off-screen options are not rendered. */
  position: number
  total: number
  /** Width / height. */
  shape: number
  checked: boolean
  /** An icon on the image; `label` describes it. */
  icon?: IconShape | undefined
  /** Must be a stable function: hundreds of these options are memoized. */
  onChoose: (image: Image) => void
}

/** One selectable image in a strip. */
export const ImageOption = memo((props: ImageOptionProps) => {
  const { image, name, label, position, total, shape, checked, icon, onChoose } = props
  return (
    // React's style type has no custom properties.
    <label className={classNames(styles.choice, styles.option)} style={{ '--shape': shape } as CSSProperties}>
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={() => onChoose(image)}
        aria-label={label}
        aria-posinset={position}
        aria-setsize={total}
      />
      <img src={image.thumbnailUrl} alt="" width={image.width} height={image.height} loading="lazy" />
      {icon && (
        <span className={styles.icon}>
          <Icon of={icon} />
        </span>
      )}
    </label>
  )
})

import Check from 'lucide-react/icons/check'
import type { CSSProperties } from 'react'
import type { ImageLookup } from '#contract/studio/image-lookups.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import styles from './images.module.css'

type ImageGridProps = {
  images: readonly ImageLookup[]
  /** From the user's preferences; fewer if there is no room. */
  perRow: number
  selected: ReadonlySet<number>
  onSelect: (ids: ReadonlySet<number>) => void
  onOpen: (id: number) => void
}

const stateOf = (image: ImageLookup): string | null => {
  if (image.state === 'processing') return 'Being made ready'
  if (image.state === 'refused') return 'Not taken'
  if (image.cutOut === 'proposed') return 'Cut-out to look at'
  if (image.ownerName === null) return 'Not matched'
  if (image.isPublished) return null
  return image.isWithdrawn ? 'Withdrawn' : 'Not published'
}

/** Accessible label of an image: file name, owner and state. */
export const imageLabel = (image: ImageLookup): string =>
  [image.fileName, image.ownerName, stateOf(image)].filter(Boolean).join(', ')

const Tile = ({
  image,
  isSelected,
  toggle,
  open,
}: {
  image: ImageLookup
  isSelected: boolean
  toggle: () => void
  open: () => void
}) => (
  <li className={classNames(styles.tile, isSelected && styles.chosen)}>
    <button type="button" className={styles.photo} aria-label={`Open ${imageLabel(image)}`} onClick={open}>
      {image.thumbnailUrl ? (
        <img src={image.thumbnailUrl} alt="" loading="lazy" decoding="async" />
      ) : (
        <span className={styles.pending}>{image.state === 'refused' ? 'Not taken' : 'Being made ready'}</span>
      )}
    </button>
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={`Select ${image.fileName}`}
      className={styles.check}
      onClick={toggle}
    >
      {isSelected && <Icon of={Check} />}
    </button>
    <span className={styles.caption}>
      <strong>{image.ownerName ?? image.fileName}</strong>
      <span>{stateOf(image) ?? (image.isPrimary && image.subjectId !== null ? 'First picture' : image.fileName)}</span>
    </span>
  </li>
)

/** A grid of images: a tap opens an image, its corner selects it. */
export const ImageGrid = ({ images, perRow, selected, onSelect, onOpen }: ImageGridProps) => {
  const toggle = (id: number) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <ul className={styles.grid} style={{ '--images-per-row': perRow } as CSSProperties} aria-label="Pictures">
      {images.map((image) => (
        <Tile
          key={image.id}
          image={image}
          isSelected={selected.has(image.id)}
          toggle={() => toggle(image.id)}
          open={() => onOpen(image.id)}
        />
      ))}
    </ul>
  )
}

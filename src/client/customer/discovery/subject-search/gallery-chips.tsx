import styles from '../discovery.module.css'

type Chip<Value> = { value: Value; label: string }

type GalleryChipsProps<Value> = {
  label: string
  chips: readonly Chip<Value>[]
  /** Undefined: everything is shown. */
  chosen: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A row of choices that limit a gallery; the first one shows everything. */
export const GalleryChips = <Value extends string | number>(props: GalleryChipsProps<Value>) => {
  const { label, chips, chosen, onChoose } = props
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {[{ value: undefined, label: 'All' }, ...chips].map((chip) => (
        <button
          key={chip.value ?? 'everything'}
          type="button"
          className={styles.chip}
          aria-pressed={chip.value === chosen}
          onClick={() => onChoose(chip.value)}
        >
          {chip.label}
        </button>
      ))}
    </fieldset>
  )
}

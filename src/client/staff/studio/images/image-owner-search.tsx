import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { findImageOwners, type ImageOwner } from '#contract/studio/images/image-matching.ts'
import { classNames } from '#ui/class-names.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'

type ImageOwnerSearchProps = {
  job: ImageParams
  label: string
  onChoose: (owner: ImageOwner) => void
}

const imageCountLabel = (count: number): string =>
  count === 0 ? 'no images yet' : count === 1 ? '1 image' : `${count} images`

/** A combobox that finds a subject or group by name, reference or code. Arrow keys move, Enter or a tap selects. */
export const ImageOwnerSearch = ({ job, label, onChoose }: ImageOwnerSearchProps) => {
  const listId = useId()
  const [text, setText] = useState('')
  const [highlightedIndex, setHighlightedIndex] = useState(0)
  const filter = useDeferredValue(text.trim())
  const query = useStaffQuery(findImageOwners, { params: job, query: { filter }, enabled: filter !== '' })
  const owners = filter === '' ? [] : (query.data ?? [])
  const choose = (owner: ImageOwner | undefined) => {
    if (!owner) return
    setText('')
    setHighlightedIndex(0)
    onChoose(owner)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setHighlightedIndex((highlightedIndex + step + owners.length) % Math.max(1, owners.length))
    else if (event.key === 'Enter') choose(owners[highlightedIndex])
    else if (event.key === 'Escape') setText('')
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.search}>
      <Field label={label}>
        <TextInput
          type="search"
          role="combobox"
          aria-expanded={owners.length > 0}
          aria-controls={listId}
          aria-activedescendant={owners[highlightedIndex] && `${listId}-${highlightedIndex}`}
          autoComplete="off"
          placeholder="Name, reference or code"
          value={text}
          onValue={(typedText) => {
            setText(typedText)
            setHighlightedIndex(0)
          }}
          onKeyDown={handleKey}
          data-owner-search
        />
      </Field>
      <div id={listId} role="listbox" aria-label={label} className={styles.owners} hidden={owners.length === 0}>
        {owners.map((owner, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          <div
            key={`${owner.kind} ${owner.id}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === highlightedIndex}
            className={classNames(styles.owner, index === highlightedIndex && styles.active)}
            onPointerEnter={() => setHighlightedIndex(index)}
            onClick={() => choose(owner)}
          >
            <strong>{owner.name}</strong>
            <span>{[owner.detail, imageCountLabel(owner.imageCount)].filter(Boolean).join(' · ')}</span>
          </div>
        ))}
      </div>
      {filter !== '' && query.data && owners.length === 0 && !query.isPlaceholder && (
        <p className={styles.hint}>No one matches “{filter}”.</p>
      )}
    </div>
  )
}

import { useDeferredValue, useState } from 'react'
import { SearchCombobox } from '#client/staff/kit/list/search-combobox.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { findImageOwners, type ImageOwner } from '#contract/studio/images/image-matching.ts'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'

type ImageOwnerSearchProps = {
  job: ImageParams
  label: string
  onChoose: (owner: ImageOwner) => void
}

const imageCountLabel = (count: number): string =>
  count === 0 ? 'no images yet' : count === 1 ? '1 image' : `${count} images`

const toOption = (owner: ImageOwner) => ({
  id: `${owner.kind} ${owner.id}`,
  name: owner.name,
  detail: [owner.detail, imageCountLabel(owner.imageCount)].filter(Boolean).join(' · '),
  owner,
})

/** A combobox that finds a subject or group by name, reference or code. */
export const ImageOwnerSearch = ({ job, label, onChoose }: ImageOwnerSearchProps) => {
  const [text, setText] = useState('')
  const filter = useDeferredValue(text.trim())
  const query = useStaffQuery(findImageOwners, { params: job, query: { filter }, enabled: filter !== '' })
  const owners = filter === '' ? [] : (query.data ?? [])
  const hasNoMatch = filter !== '' && query.data !== undefined && owners.length === 0 && !query.isPlaceholder
  return (
    <SearchCombobox
      label={label}
      placeholder="Name, reference or code"
      text={text}
      onText={setText}
      options={owners.map(toOption)}
      onChoose={({ owner }) => {
        setText('')
        onChoose(owner)
      }}
      onClose={() => setText('')}
      listClassName={styles.owners}
      emptyText={hasNoMatch ? `No one matches “${filter}”.` : undefined}
    />
  )
}

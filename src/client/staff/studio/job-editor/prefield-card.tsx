import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { FieldPair } from './job-settings-layout.tsx'
import type { PrefieldValues } from './prefield-values.ts'
import styles from './prefields.module.css'

type PrefieldCardProps = {
  index: number
  count: number
  values: PrefieldValues | undefined
  onMove: (to: number) => void
  onRemove: () => void
}

const inputTypes = [
  { value: 'text', label: 'One line' },
  { value: 'textarea', label: 'Several lines' },
  { value: 'alphanumeric', label: 'Letters and digits' },
] as const

const stepByKey: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Index of the card under the pointer. */
const indexAt = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const card = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-field-index]')
  return card ? Number(card.dataset.fieldIndex) : undefined
}

const MoveHandle = ({
  index,
  count,
  name,
  onMove,
}: Pick<PrefieldCardProps, 'index' | 'count' | 'onMove'> & { name: string }) => {
  const isDragging = useRef(false)
  const handleKey = (event: KeyboardEvent) => {
    const to = index + (stepByKey[event.key] ?? 0)
    if (to === index || to < 0 || to >= count) return
    event.preventDefault()
    onMove(to)
  }
  const handleDrag = (event: PointerEvent) => {
    if (!isDragging.current) return
    const to = indexAt(event)
    if (to !== undefined && to !== index) onMove(to)
  }
  return (
    <IconButton
      icon={GripVertical}
      label={`Move ${name}, number ${index + 1} of ${count}: drag it, or press up or down`}
      className={styles.handle}
      onKeyDown={handleKey}
      onPointerDown={(event) => {
        isDragging.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={handleDrag}
      onPointerUp={() => {
        isDragging.current = false
      }}
      onPointerCancel={() => {
        isDragging.current = false
      }}
    />
  )
}

/** Edits one prefield: its label, type, options and position. */
export const PrefieldCard = ({ index, count, values, onMove, onRemove }: PrefieldCardProps) => {
  const path = `fields.${index}`
  const name = values?.name.trim() || 'the new field'
  return (
    <li className={styles.card} data-field-index={index}>
      <MoveHandle index={index} count={count} name={name} onMove={onMove} />
      <div className={styles.body}>
        <FieldPair>
          <TextField
            name={`${path}.name`}
            label="Name"
            required
            maxLength={60}
            hint="Internal name, for lists and prints"
          />
          <TextField name={`${path}.label`} label="Question" optional maxLength={200} hint="Defaults to the name" />
        </FieldPair>
        <div className={styles.row}>
          <SelectField name={`${path}.inputType`} label="Type" options={inputTypes} />
          <CheckField name={`${path}.required`} label="Required" />
          <CheckField name={`${path}.hasOptions`} label="Dropdown" />
        </div>
        {values?.hasOptions && (
          <TextField name={`${path}.options`} label="Choices" type="textarea" rows={4} hint="One per line" />
        )}
      </div>
      <IconButton icon={Trash} label={`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}

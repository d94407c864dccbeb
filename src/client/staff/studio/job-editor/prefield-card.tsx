import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { FieldPair } from './form-section.tsx'
import type { PrefieldValues } from './prefield-values.ts'
import styles from './prefields.module.css'

type PrefieldCardProps = {
  index: number
  count: number
  typed: PrefieldValues | undefined
  onMove: (to: number) => void
  onRemove: () => void
}

const inputTypes = [
  { value: 'text', label: 'One line' },
  { value: 'textarea', label: 'Several lines' },
  { value: 'alphanumeric', label: 'Letters and digits' },
] as const

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Index of the card under the pointer. */
const indexAt = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-field-index]')
  return under ? Number(under.dataset.fieldIndex) : undefined
}

const Handle = ({
  index,
  count,
  name,
  onMove,
}: Pick<PrefieldCardProps, 'index' | 'count' | 'onMove'> & { name: string }) => {
  const dragging = useRef(false)
  const press = (event: KeyboardEvent) => {
    const to = index + (steps[event.key] ?? 0)
    if (to === index || to < 0 || to >= count) return
    event.preventDefault()
    onMove(to)
  }
  const drag = (event: PointerEvent) => {
    if (!dragging.current) return
    const to = indexAt(event)
    if (to !== undefined && to !== index) onMove(to)
  }
  return (
    <IconButton
      icon={GripVertical}
      label={`Move ${name}, number ${index + 1} of ${count}: drag it, or press up or down`}
      className={styles.handle}
      onKeyDown={press}
      onPointerDown={(event) => {
        dragging.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        dragging.current = false
      }}
      onPointerCancel={() => {
        dragging.current = false
      }}
    />
  )
}

/** Edits one prefield: its label, type, options and position. */
export const PrefieldCard = ({ index, count, typed, onMove, onRemove }: PrefieldCardProps) => {
  const at = `fields.${index}`
  const name = typed?.name.trim() || 'the new field'
  return (
    <li className={styles.card} data-field-index={index}>
      <Handle index={index} count={count} name={name} onMove={onMove} />
      <div className={styles.body}>
        <FieldPair>
          <TextField name={`${at}.name`} label="Name" required maxLength={60} hint="As lists and prints know it" />
          <TextField
            name={`${at}.label`}
            label="Asked as"
            optional
            maxLength={200}
            hint="The name, where nothing is said"
          />
        </FieldPair>
        <div className={styles.row}>
          <SelectField name={`${at}.inputType`} label="Answered in" options={inputTypes} />
          <CheckField name={`${at}.required`} label="Has to be answered" />
          <CheckField name={`${at}.hasOptions`} label="One of a few choices" />
        </div>
        {typed?.hasOptions && (
          <TextField name={`${at}.options`} label="Choices" type="textarea" rows={4} hint="Each in a line of its own" />
        )}
      </div>
      <IconButton icon={Trash} label={`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}

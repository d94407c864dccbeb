import GripVertical from 'lucide-react/icons/grip-vertical'
import Trash from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import styles from './list-card.module.css'

export type ListCardProps = {
  index: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
}

const stepByKey: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Index of the card under the pointer. */
const indexAt = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const card = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-field-index]')
  return card ? Number(card.dataset.fieldIndex) : undefined
}

const MoveHandle = ({ index, count, name, onMove }: Omit<ListCardProps, 'onRemove'> & { name: string }) => {
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

/** An item of a list that is edited in a form: its fields, with a handle to move it and a button to remove it. */
export const ListCard = ({
  name,
  children,
  index,
  count,
  onMove,
  onRemove,
}: ListCardProps & { /** For screen readers, for example “the new step”. */ name: string; children: ReactNode }) => (
  <li className={styles.card} data-field-index={index}>
    <MoveHandle {...{ index, count, name, onMove }} />
    <div className={styles.body}>{children}</div>
    <IconButton icon={Trash} label={`Remove ${name}`} onClick={onRemove} />
  </li>
)

/** The cards of a list, in order. */
export const ListCards = ({ children }: { children: ReactNode }) => <ol className={styles.cards}>{children}</ol>

import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import type { PackageItem, PositionCoords } from '../../../domain/catalogue.ts'
import {
  type Handle,
  handles,
  type Lines,
  moved,
  resized,
  type Shift,
  snapLines,
  snapMoved,
  snapReach,
  snapResized,
} from '../../../domain/node-place.ts'
import { Print } from '../../customer/print.tsx'
import { classNames } from '../../ui/class-names.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { type EditorNode, nodesOf } from './editor-draft.ts'
import { sampleContent } from './sample.ts'
import styles from './stage.module.css'

export type StageProps = {
  item: PackageItem
  selectedId: number | null
  onSelect: (nodeId: number | null) => void
  /** A place while it is dragged or pressed; `group` says which of them are one step. */
  onPlace: (nodeId: number, place: PositionCoords, group: string) => void
  /** The step is over. */
  onSettled: () => void
  onRemove: (nodeId: number) => void
  snaps: boolean
  /** Resizing keeps the shape a picture has. */
  keepsShape: boolean
  /** The ids of nodes that something is wrong with. */
  wrong: ReadonlySet<number>
}

type Drag = {
  nodeId: number
  pointerId: number
  handle: Handle | null
  /** Where it was taken hold of, in pixels, and where the node lay. */
  at: Shift
  from: PositionCoords
}

const keySteps: Readonly<Record<string, Shift>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Percentages of the print that an arrow key moves by, and with Shift. */
const smallStep = 0.5
const largeStep = 5

const nothing: Lines = { x: [], y: [] }

const words = ({ kind, node: { name, positionCoords: box } }: EditorNode): string => {
  const at = `${box.x} % from the left, ${box.y} % from the top, ${box.width} % wide, ${box.height} % high`
  return `${name || 'Without a name'}, ${kind === 'image' ? 'picture' : 'text'}, ${at}`
}

/** The print of an item as customers see it, with everything on it to be moved and resized: by touch, by mouse, by the keyboard. */
export const Stage = (props: StageProps) => {
  const { item, selectedId, onSelect, onPlace, onSettled, snaps, keepsShape, wrong } = props
  const sheet = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [lines, setLines] = useState<Lines>(nothing)
  const helpId = useId()
  const nodes = nodesOf(item)

  const othersOf = (nodeId: number) =>
    nodes.filter(({ node }) => node.id !== nodeId).map(({ node }) => node.positionCoords)

  const take = (event: PointerEvent<HTMLElement>, one: EditorNode, handle: Handle | null) => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    onSelect(one.node.id)
    const at = { x: event.clientX, y: event.clientY }
    setDrag({ nodeId: one.node.id, pointerId: event.pointerId, handle, at, from: one.node.positionCoords })
  }

  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = sheet.current?.getBoundingClientRect()
    if (!drag || drag.pointerId !== event.pointerId || !box) return
    const by = {
      x: ((event.clientX - drag.at.x) / box.width) * 100,
      y: ((event.clientY - drag.at.y) / box.height) * 100,
    }
    const { from, handle, nodeId } = drag
    // As far on a broad print as on a narrow one.
    const reach = { x: snapReach, y: (snapReach * box.width) / box.height }
    const isPicture = item.imageNodes.some(({ id }) => id === nodeId)
    const keep = (keepsShape && isPicture) !== event.shiftKey ? from.width / from.height : null
    const free = handle === null ? moved(from, by) : resized(from, { handle, by, keep })
    const around = snapLines(othersOf(nodeId))
    const draws = snaps && !event.altKey && (handle === null || keep === null)
    const snapped = !draws
      ? { box: free, lines: nothing }
      : handle === null
        ? snapMoved(free, around, reach)
        : snapResized(free, handle, { lines: around, reach })
    setLines(snapped.lines)
    onPlace(nodeId, snapped.box, `drag ${nodeId} ${drag.at.x} ${drag.at.y}`)
  }

  const drop = () => {
    if (!drag) return
    setDrag(null)
    setLines(nothing)
    onSettled()
  }

  const press = (event: KeyboardEvent, { node }: EditorNode) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return props.onRemove(node.id)
    }
    const to = keySteps[event.key]
    if (!to || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const far = event.shiftKey ? largeStep : smallStep
    const by = { x: to.x * far, y: to.y * far }
    const box = node.positionCoords
    const keep = keepsShape && item.imageNodes.includes(node as never) ? box.width / box.height : null
    const handle = to.x !== 0 ? 'e' : 's'
    onPlace(node.id, event.altKey ? resized(box, { handle, by, keep }) : moved(box, by), `keys ${node.id}`)
  }

  return (
    <div className={styles.frame}>
      <VisuallyHidden>
        <p id={helpId}>
          Arrow keys move it, with Shift in larger steps; with Alt they change its size. Delete takes it away.
        </p>
      </VisuallyHidden>
      <div
        ref={sheet}
        className={styles.sheet}
        style={{ '--wide': item.widthInches ?? 4, '--high': item.heightInches ?? 5 } as never} // custom properties are no part of React's own list
        onPointerDown={() => onSelect(null)}
      >
        <Print item={item} content={sampleContent(item)} />
        {nodes.map((one) => (
          <NodeBox
            key={one.node.id}
            one={one}
            isSelected={one.node.id === selectedId}
            isWrong={wrong.has(one.node.id)}
            helpId={helpId}
            label={words(one)}
            onTake={(event, handle) => take(event, one, handle)}
            onFollow={follow}
            onDrop={drop}
            onPress={(event) => press(event, one)}
            onFocus={() => onSelect(one.node.id)}
            onLeave={onSettled}
          />
        ))}
        {lines.x.map((x) => (
          <span key={`x${x}`} className={styles.down} style={{ insetInlineStart: `${x}%` }} />
        ))}
        {lines.y.map((y) => (
          <span key={`y${y}`} className={styles.across} style={{ insetBlockStart: `${y}%` }} />
        ))}
      </div>
    </div>
  )
}

type NodeBoxProps = {
  one: EditorNode
  isSelected: boolean
  isWrong: boolean
  helpId: string
  label: string
  onTake: (event: PointerEvent<HTMLElement>, handle: Handle | null) => void
  onFollow: (event: PointerEvent<HTMLElement>) => void
  onDrop: () => void
  onPress: (event: KeyboardEvent) => void
  onFocus: () => void
  onLeave: () => void
}

const NodeBox = ({ one, isSelected, isWrong, helpId, label, onTake, onFollow, onDrop, ...by }: NodeBoxProps) => {
  const { x, y, width, height } = one.node.positionCoords
  const place = {
    insetInlineStart: `${x}%`,
    insetBlockStart: `${y}%`,
    inlineSize: `${width}%`,
    blockSize: `${height}%`,
  }
  const following = { onPointerMove: onFollow, onPointerUp: onDrop, onPointerCancel: onDrop }
  return (
    <div className={classNames(styles.place, isSelected && styles.selected)} style={place}>
      <button
        type="button"
        className={classNames(styles.node, one.kind === 'text' && styles.text, isWrong && styles.wrong)}
        aria-label={label}
        aria-pressed={isSelected}
        aria-describedby={helpId}
        data-node={one.node.name}
        onPointerDown={(event) => onTake(event, null)}
        {...following}
        onKeyDown={by.onPress}
        onFocus={by.onFocus}
        onBlur={by.onLeave}
      >
        <span className={styles.name}>{one.node.name}</span>
      </button>
      {isSelected &&
        handles.map((handle) => (
          <span
            key={handle}
            className={styles.handle}
            data-handle={handle}
            aria-hidden="true"
            onPointerDown={(event) => onTake(event, handle)}
            {...following}
          />
        ))}
    </div>
  )
}

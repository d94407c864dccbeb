import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'
import type { PackageItem, PositionCoords } from '#domain/catalogue/catalogue.ts'
import {
  movePosition,
  type Offset,
  type ResizeHandle,
  resizePosition,
  type SnapLines,
  type SnapResult,
  snapLines,
  snapMoved,
  snapReach,
  snapResized,
} from '#domain/catalogue/node-position.ts'
import { type EditorNode, nodesOf } from './editor-draft.ts'

export type NodeDragOptions = {
  item: PackageItem
  selectedId: number | null
  onSelect: (nodeId: number | null) => void
  /** Called while a node is moved or resized. Calls with the same `group` are one undo step. */
  onPlace: (nodeId: number, position: PositionCoords, group: string) => void
  /** Called when the step ends. */
  onSettled: () => void
  onRemove: (nodeId: number) => void
  snaps: boolean
  /** Whether resizing keeps the aspect ratio. */
  keepsShape: boolean
}

type Drag = {
  nodeId: number
  pointerId: number
  handle: ResizeHandle | null
  /** Pointer position in pixels and node position when the drag began. */
  at: Offset
  from: PositionCoords
  isMoved: boolean
}

/** Pixels of movement below which a drag counts as a tap. */
const tapTolerance = 4

type DragOptions = { by: Offset; keep: number | null; around: { lines: SnapLines; reach: Offset } | null }

/** Where the drag moves the node, and the guide lines it snaps to. Resizing with a fixed aspect ratio does not snap. */
const dragged = ({ from, handle }: Drag, { by, keep, around }: DragOptions): SnapResult => {
  const free = handle === null ? movePosition(from, by) : resizePosition(from, { handle, by, keep })
  if (!around || (handle !== null && keep !== null)) return { box: free, lines: nothing }
  return handle === null ? snapMoved(free, around.lines, around.reach) : snapResized(free, handle, around)
}

const keySteps: Readonly<Record<string, Offset>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Step of the arrow keys in percent of the print, without and with Shift. */
const smallStep = 0.5
const largeStep = 5

const nothing: SnapLines = { x: [], y: [] }

/**
 * Moves and resizes nodes. `take`, `follow` and `drop` handle pointers (Shift toggles the fixed aspect ratio, Alt disables snapping),
 * `press` handles the keyboard. `lines` are the guide lines of the current snap.
 */
export const useNodeDrag = (sheet: RefObject<HTMLDivElement | null>, placing: NodeDragOptions) => {
  const { item, selectedId, onSelect, onPlace, onSettled, snaps, keepsShape, onRemove } = placing
  const [drag, setDrag] = useState<Drag | null>(null)
  const [lines, setLines] = useState<SnapLines>(nothing)
  const nodes = nodesOf(item)

  const othersOf = (nodeId: number) =>
    nodes.filter(({ node }) => node.id !== nodeId).map(({ node }) => node.positionCoords)

  const startDrag = (event: PointerEvent<HTMLElement>, editorNode: EditorNode, handle: ResizeHandle | null) => {
    if (event.button !== 0) return
    event.stopPropagation()
    // A touch may be a scroll: it drags only a node that is already selected.
    if (event.pointerType === 'touch' && editorNode.node.id !== selectedId) return
    event.currentTarget.setPointerCapture(event.pointerId)
    onSelect(editorNode.node.id)
    const at = { x: event.clientX, y: event.clientY }
    setDrag({
      nodeId: editorNode.node.id,
      pointerId: event.pointerId,
      handle,
      at,
      from: editorNode.node.positionCoords,
      isMoved: false,
    })
  }

  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = sheet.current?.getBoundingClientRect()
    if (!drag || drag.pointerId !== event.pointerId || !box) return
    const by = {
      x: ((event.clientX - drag.at.x) / box.width) * 100,
      y: ((event.clientY - drag.at.y) / box.height) * 100,
    }
    const { nodeId, from } = drag
    // Tolerates small movements of a tap.
    const isMoved = drag.isMoved || Math.hypot(event.clientX - drag.at.x, event.clientY - drag.at.y) >= tapTolerance
    if (!isMoved) return
    if (!drag.isMoved) setDrag({ ...drag, isMoved })
    const isPicture = item.imageNodes.some(({ id }) => id === nodeId)
    const keep = (keepsShape && isPicture) !== event.shiftKey ? from.width / from.height : null
    // The snap distance in pixels is the same in both directions.
    const reach = { x: snapReach, y: (snapReach * box.width) / box.height }
    const around = snaps && !event.altKey ? { lines: snapLines(othersOf(nodeId)), reach } : null
    const snapped = dragged(drag, { by, keep, around })
    setLines(snapped.lines)
    onPlace(nodeId, snapped.box, `drag ${nodeId} ${drag.at.x} ${drag.at.y}`)
  }

  const drop = () => {
    if (!drag) return
    setDrag(null)
    setLines(nothing)
    onSettled()
  }

  const press = (event: KeyboardEvent, { kind, node }: EditorNode) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return onRemove(node.id)
    }
    const to = keySteps[event.key]
    if (!to || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const far = event.shiftKey ? largeStep : smallStep
    const by = { x: to.x * far, y: to.y * far }
    const box = node.positionCoords
    const keep = keepsShape && kind === 'image' ? box.width / box.height : null
    const handle = to.x !== 0 ? 'e' : 's'
    onPlace(
      node.id,
      event.altKey ? resizePosition(box, { handle, by, keep }) : movePosition(box, by),
      `keys ${node.id}`,
    )
  }

  return { take: startDrag, follow, drop, press, lines } as const
}

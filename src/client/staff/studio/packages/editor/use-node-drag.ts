import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'
import type { PackageItem, PositionCoords } from '#domain/catalogue/catalogue.ts'
import {
  maxSnapDistance,
  movePosition,
  type Offset,
  type ResizeHandle,
  resizePosition,
  type SnapLines,
  type SnapResult,
  snapLines,
  snapMoved,
  snapResized,
} from '#domain/catalogue/node-position.ts'
import { type EditorNode, nodesOf } from './editor-draft.ts'

export type NodeDragOptions = {
  item: PackageItem
  selectedId: number | null
  onSelect: (nodeId: number | null) => void
  /** Called while a node is moved or resized. Calls with the same `group` are one undo step. */
  onPlace: (nodeId: number, position: PositionCoords, group: string) => void
  /** Called when an undo step ends: after a drag, or when the node loses the focus. */
  onSettled: () => void
  onRemove: (nodeId: number) => void
  isSnapEnabled: boolean
  /** Whether resizing an image keeps its aspect ratio. */
  isRatioLocked: boolean
}

type Drag = {
  nodeId: number
  pointerId: number
  handle: ResizeHandle | null
  /** Position of the pointer in pixels when the drag began. */
  startPointer: Offset
  /** Position of the node when the drag began. */
  startPosition: PositionCoords
  isMoved: boolean
}

/** Pixels of movement below which a drag counts as a tap. */
const tapTolerance = 4

type DragOptions = {
  offset: Offset
  aspectRatio: number | null
  /** Null disables snapping. */
  snapTargets: { lines: SnapLines; snapDistance: Offset } | null
}

/** The position that the drag moves the node to, and the guide lines it snaps to. A fixed aspect ratio prevents snapping of a resize. */
const dragPosition = ({ startPosition, handle }: Drag, options: DragOptions): SnapResult => {
  const { offset, aspectRatio, snapTargets } = options
  const unsnapped =
    handle === null
      ? movePosition(startPosition, offset)
      : resizePosition(startPosition, { handle, offset, aspectRatio })
  if (!snapTargets || (handle !== null && aspectRatio !== null)) return { box: unsnapped, lines: noGuideLines }
  if (handle !== null) return snapResized(unsnapped, handle, snapTargets)
  return snapMoved(unsnapped, snapTargets.lines, snapTargets.snapDistance)
}

const keyDirections: Readonly<Record<string, Offset>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Step of the arrow keys in percent of the print, without and with Shift. */
const smallStep = 0.5
const largeStep = 5

const noGuideLines: SnapLines = { x: [], y: [] }

/**
 * Moves and resizes nodes by pointer (Shift toggles the fixed aspect ratio, Alt disables snapping) and by keyboard. `guideLines` are the
 * lines that the dragged node currently snaps to.
 */
export const useNodeDrag = (sheet: RefObject<HTMLDivElement | null>, options: NodeDragOptions) => {
  const { item, selectedId, onSelect, onPlace, onSettled, isSnapEnabled, isRatioLocked, onRemove } = options
  const [drag, setDrag] = useState<Drag | null>(null)
  const [guideLines, setGuideLines] = useState<SnapLines>(noGuideLines)
  const nodes = nodesOf(item)

  const otherPositions = (nodeId: number) =>
    nodes.filter(({ node }) => node.id !== nodeId).map(({ node }) => node.positionCoords)

  const startDrag = (event: PointerEvent<HTMLElement>, editorNode: EditorNode, handle: ResizeHandle | null) => {
    if (event.button !== 0) return
    event.stopPropagation()
    // A touch on a node that is not selected may be a scroll.
    if (event.pointerType === 'touch' && editorNode.node.id !== selectedId) return
    event.currentTarget.setPointerCapture(event.pointerId)
    onSelect(editorNode.node.id)
    setDrag({
      nodeId: editorNode.node.id,
      pointerId: event.pointerId,
      handle,
      startPointer: { x: event.clientX, y: event.clientY },
      startPosition: editorNode.node.positionCoords,
      isMoved: false,
    })
  }

  const moveDrag = (event: PointerEvent<HTMLElement>) => {
    const sheetRect = sheet.current?.getBoundingClientRect()
    if (!drag || drag.pointerId !== event.pointerId || !sheetRect) return
    const { nodeId, startPointer, startPosition } = drag
    const [dx, dy] = [event.clientX - startPointer.x, event.clientY - startPointer.y]
    const offset = { x: (dx / sheetRect.width) * 100, y: (dy / sheetRect.height) * 100 }
    // Ignores small movements of a tap.
    const isMoved = drag.isMoved || Math.hypot(dx, dy) >= tapTolerance
    if (!isMoved) return
    if (!drag.isMoved) setDrag({ ...drag, isMoved })
    const isImage = item.imageNodes.some(({ id }) => id === nodeId)
    const isRatioFixed = (isRatioLocked && isImage) !== event.shiftKey
    const aspectRatio = isRatioFixed ? startPosition.width / startPosition.height : null
    // The snap distance in pixels is the same in both directions.
    const snapDistance = { x: maxSnapDistance, y: (maxSnapDistance * sheetRect.width) / sheetRect.height }
    const snapTargets =
      isSnapEnabled && !event.altKey ? { lines: snapLines(otherPositions(nodeId)), snapDistance } : null
    const { box, lines } = dragPosition(drag, { offset, aspectRatio, snapTargets })
    setGuideLines(lines)
    onPlace(nodeId, box, `drag ${nodeId} ${startPointer.x} ${startPointer.y}`)
  }

  const endDrag = () => {
    if (!drag) return
    setDrag(null)
    setGuideLines(noGuideLines)
    onSettled()
  }

  const handleKey = (event: KeyboardEvent, { kind, node }: EditorNode) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return onRemove(node.id)
    }
    const direction = keyDirections[event.key]
    if (!direction || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const step = event.shiftKey ? largeStep : smallStep
    const offset = { x: direction.x * step, y: direction.y * step }
    const box = node.positionCoords
    const aspectRatio = isRatioLocked && kind === 'image' ? box.width / box.height : null
    const handle = direction.x !== 0 ? 'e' : 's'
    onPlace(
      node.id,
      event.altKey ? resizePosition(box, { handle, offset, aspectRatio }) : movePosition(box, offset),
      `keys ${node.id}`,
    )
  }

  return { startDrag, moveDrag, endDrag, handleKey, guideLines } as const
}

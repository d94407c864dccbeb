import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { type ResizeHandle, resizeHandles } from '#domain/catalogue/node-position.ts'
import { classNames } from '#ui/class-names.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { type EditorNode, nodesOf } from './editor-draft.ts'
import styles from './item-canvas.module.css'
import { samplePrintContent } from './sample-subject.ts'
import { type NodeDragOptions, useNodeDrag } from './use-node-drag.ts'

type ItemCanvasProps = NodeDragOptions & {
  /** Ids of nodes with errors. */
  invalidIds: ReadonlySet<number>
}

const nodeLabel = ({ kind, node: { name, positionCoords: position } }: EditorNode): string => {
  const positionLabel = `${position.x} % from the left, ${position.y} % from the top, ${position.width} % wide, ${position.height} % high`
  return `${name || 'Without a name'}, ${kind === 'image' ? 'image' : 'text'}, ${positionLabel}`
}

/** The print of an item as customers see it, with nodes that can be moved and resized by touch, mouse or keyboard. */
export const ItemCanvas = (props: ItemCanvasProps) => {
  const { item, selectedId, onSelect, onSettled, invalidIds } = props
  const sheet = useRef<HTMLDivElement>(null)
  const { startDrag, moveDrag, endDrag, handleKey, guideLines } = useNodeDrag(sheet, props)
  const helpId = useId()
  const nodes = nodesOf(item)

  // React's style type does not include custom properties.
  const aspectStyle = { '--wide': item.widthInches ?? 4, '--high': item.heightInches ?? 5 } as CSSProperties
  return (
    <div className={styles.frame}>
      <VisuallyHidden>
        <p id={helpId}>
          Arrow keys move it, with Shift in larger steps; with Alt they change its size. Delete removes it.
        </p>
      </VisuallyHidden>
      <div ref={sheet} className={styles.sheet} style={aspectStyle} onPointerDown={() => onSelect(null)}>
        <PrintPreview item={item} content={samplePrintContent(item)} />
        {nodes.map((node) => (
          <NodeBox
            key={node.node.id}
            node={node}
            isSelected={node.node.id === selectedId}
            isInvalid={invalidIds.has(node.node.id)}
            helpId={helpId}
            label={nodeLabel(node)}
            onDragStart={(event, handle) => startDrag(event, node, handle)}
            onDragMove={moveDrag}
            onDragEnd={endDrag}
            onKeyDown={(event) => handleKey(event, node)}
            onSelect={() => onSelect(node.node.id)}
            onBlur={onSettled}
          />
        ))}
        {guideLines.x.map((x) => (
          <span key={`x${x}`} className={styles.verticalGuide} style={{ insetInlineStart: `${x}%` }} />
        ))}
        {guideLines.y.map((y) => (
          <span key={`y${y}`} className={styles.horizontalGuide} style={{ insetBlockStart: `${y}%` }} />
        ))}
      </div>
    </div>
  )
}

type NodeBoxProps = {
  node: EditorNode
  isSelected: boolean
  isInvalid: boolean
  helpId: string
  label: string
  /** The handle is null if the node itself is dragged. */
  onDragStart: (event: PointerEvent<HTMLElement>, handle: ResizeHandle | null) => void
  onDragMove: (event: PointerEvent<HTMLElement>) => void
  onDragEnd: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onSelect: () => void
  onBlur: () => void
}

const NodeBox = (props: NodeBoxProps) => {
  const { node, isSelected, isInvalid, helpId, label, onDragStart, onDragMove, onDragEnd } = props
  const { x, y, width, height } = node.node.positionCoords
  const boxStyle = {
    insetInlineStart: `${x}%`,
    insetBlockStart: `${y}%`,
    inlineSize: `${width}%`,
    blockSize: `${height}%`,
  }
  const dragHandlers = { onPointerMove: onDragMove, onPointerUp: onDragEnd, onPointerCancel: onDragEnd }
  return (
    <div className={classNames(styles.nodeBox, isSelected && styles.selected)} style={boxStyle}>
      <button
        type="button"
        className={classNames(styles.node, node.kind === 'text' && styles.text, isInvalid && styles.invalid)}
        aria-label={label}
        aria-pressed={isSelected}
        aria-describedby={helpId}
        data-node={node.node.name}
        onPointerDown={(event) => onDragStart(event, null)}
        {...dragHandlers}
        onKeyDown={props.onKeyDown}
        onFocus={props.onSelect}
        onClick={props.onSelect}
        onBlur={props.onBlur}
      >
        {/* Only images show their name: on a text it would cover the content. */}
        {node.kind === 'image' && <span className={styles.name}>{node.node.name}</span>}
      </button>
      {isSelected &&
        resizeHandles.map((handle) => (
          <span
            key={handle}
            className={styles.handle}
            data-handle={handle}
            aria-hidden="true"
            onPointerDown={(event) => onDragStart(event, handle)}
            {...dragHandlers}
          />
        ))}
    </div>
  )
}

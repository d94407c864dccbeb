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
  wrong: ReadonlySet<number>
}

const nodeLabel = ({ kind, node: { name, positionCoords: box } }: EditorNode): string => {
  const at = `${box.x} % from the left, ${box.y} % from the top, ${box.width} % wide, ${box.height} % high`
  return `${name || 'Without a name'}, ${kind === 'image' ? 'picture' : 'text'}, ${at}`
}

/** The print of an item as customers see it, with nodes that can be moved and resized by touch, mouse or keyboard. */
export const ItemCanvas = (props: ItemCanvasProps) => {
  const { item, selectedId, onSelect, onSettled, wrong } = props
  const sheet = useRef<HTMLDivElement>(null)
  const { take: startDrag, follow, drop, press, lines } = useNodeDrag(sheet, props)
  const helpId = useId()
  const nodes = nodesOf(item)

  // React's style type does not include custom properties.
  const shape = { '--wide': item.widthInches ?? 4, '--high': item.heightInches ?? 5 } as CSSProperties
  return (
    <div className={styles.frame}>
      <VisuallyHidden>
        <p id={helpId}>
          Arrow keys move it, with Shift in larger steps; with Alt they change its size. Delete takes it away.
        </p>
      </VisuallyHidden>
      <div ref={sheet} className={styles.sheet} style={shape} onPointerDown={() => onSelect(null)}>
        <PrintPreview item={item} content={samplePrintContent(item)} />
        {nodes.map((node) => (
          <NodeBox
            key={node.node.id}
            node={node}
            isSelected={node.node.id === selectedId}
            isWrong={wrong.has(node.node.id)}
            helpId={helpId}
            label={nodeLabel(node)}
            onTake={(event, handle) => startDrag(event, node, handle)}
            onFollow={follow}
            onDrop={drop}
            onPress={(event) => press(event, node)}
            onChoose={() => onSelect(node.node.id)}
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
  node: EditorNode
  isSelected: boolean
  isWrong: boolean
  helpId: string
  label: string
  onTake: (event: PointerEvent<HTMLElement>, handle: ResizeHandle | null) => void
  onFollow: (event: PointerEvent<HTMLElement>) => void
  onDrop: () => void
  onPress: (event: KeyboardEvent) => void
  onChoose: () => void
  onLeave: () => void
}

const NodeBox = ({ node, isSelected, isWrong, helpId, label, onTake, onFollow, onDrop, ...by }: NodeBoxProps) => {
  const { x, y, width, height } = node.node.positionCoords
  const position = {
    insetInlineStart: `${x}%`,
    insetBlockStart: `${y}%`,
    inlineSize: `${width}%`,
    blockSize: `${height}%`,
  }
  const following = { onPointerMove: onFollow, onPointerUp: onDrop, onPointerCancel: onDrop }
  return (
    <div className={classNames(styles.place, isSelected && styles.selected)} style={position}>
      <button
        type="button"
        className={classNames(styles.node, node.kind === 'text' && styles.text, isWrong && styles.wrong)}
        aria-label={label}
        aria-pressed={isSelected}
        aria-describedby={helpId}
        data-node={node.node.name}
        onPointerDown={(event) => onTake(event, null)}
        {...following}
        onKeyDown={by.onPress}
        onFocus={by.onChoose}
        onClick={by.onChoose}
        onBlur={by.onLeave}
      >
        {/* A text shows its content; its name would cover it. */}
        {node.kind === 'image' && <span className={styles.name}>{node.node.name}</span>}
      </button>
      {isSelected &&
        resizeHandles.map((handle) => (
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

import { cloneElement, type ReactElement, type ReactNode, useId, useRef } from 'react'
import styles from './tooltip.module.css'
import { useDelayedOpen } from './use-delayed-open.ts'
import { useAnchored, useOutsidePress } from './use-popover.ts'

/** Milliseconds of hover, focus or touch until a tooltip opens (sections 4 and 9). */
export const tooltipDelayMs = 200

export type TooltipProps = {
  text: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The text is the control's accessible name, which is announced anyway. */
  isName?: boolean
  /** One focusable element: a button, a link, an input. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}

/** A tooltip: opens after 200 ms of hover, focus or touch; closes on click, Escape or a tap elsewhere. */
export const Tooltip = ({ text, side = 'top', isName = false, children }: TooltipProps) => {
  const id = useId()
  const wrapper = useRef<HTMLSpanElement>(null)
  const { open, show, hideNow } = useDelayedOpen({ showMs: tooltipDelayMs, hideMs: 0 })
  const { setAnchor, setBox, style } = useAnchored(open, side)
  // The click that ends the opening touch must not close it.
  const isOpening = useRef(false)
  useOutsidePress(wrapper, open, hideNow)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for events of the control inside
    <span
      ref={(node) => {
        wrapper.current = node
        // The wrapper has no box, so the control's layout is unchanged.
        setAnchor(node?.firstElementChild ?? null)
      }}
      className={styles.anchor}
      onPointerEnter={(event) => event.pointerType !== 'touch' && show()}
      onPointerLeave={(event) => event.pointerType !== 'touch' && hideNow()}
      onTouchStart={() => {
        isOpening.current = !open
        if (!open) show()
      }}
      onFocus={show}
      onBlur={hideNow}
      onClickCapture={() => {
        if (open || !isOpening.current) hideNow()
        isOpening.current = false
      }}
    >
      {cloneElement(children, { 'aria-describedby': open && !isName ? id : children.props['aria-describedby'] })}
      {open && (
        <span ref={setBox} id={id} role="tooltip" className={styles.tooltip} style={style}>
          {text}
        </span>
      )}
    </span>
  )
}

import { type FocusEvent, type KeyboardEvent, type PointerEvent, useCallback, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../class-names.ts'
import styles from './menu.module.css'
import { MenuEntry, type MenuItem } from './menu-entry.tsx'
import { menuMove, opensMenu } from './menu-keys.ts'
import { MenuTrigger, type MenuTriggerAppearance } from './menu-trigger.tsx'
import { useDelayedOpen } from './use-delayed-open.ts'
import { useAnchored, useOutsidePress } from './use-popover.ts'

/** Milliseconds until a menu opens and closes (sections 4 and 9). */
export const menuDelays = { showMs: 0, hideMs: 400 } as const

export type MenuProps = MenuTriggerAppearance & {
  items: readonly (MenuItem | 'separator')[]
  /** The edge aligned with its button. */
  align?: 'start' | 'end'
  className?: string
}

const isMouse = (event: PointerEvent) => event.pointerType !== 'touch'

/**
 * Handlers that show a menu when a mouse moves onto it. A closed menu that appears beneath a mouse that does not move, or where the last tap
 * was, stays closed; an open one stays open.
 */
const useHover = (isOpen: boolean, show: () => void) => {
  const hasEntered = useRef(false)
  return {
    onPointerEnter: (event: PointerEvent) => {
      hasEntered.current = true
      if (isOpen && isMouse(event)) show()
    },
    onPointerMove: (event: PointerEvent) => {
      if (!isMouse(event) || !hasEntered.current) return
      hasEntered.current = false
      show()
    },
  }
}

/** Whether the focus moves into a dialog above the element. */
const isFocusMovingToDialog = ({ currentTarget, relatedTarget }: FocusEvent): boolean => {
  const dialog = relatedTarget instanceof Element ? relatedTarget.closest('[aria-modal="true"]') : null
  return dialog !== null && !dialog.contains(currentTarget)
}

const enabledItemsIn = (root: HTMLElement | null) => [
  ...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled])') ?? []),
]

/**
 * A button with a menu: opens at once on hover, focus or tap, and closes 400 ms after losing both. Arrow keys, Home,
 * End and first letters move; Escape closes it and focuses the button.
 */
export const Menu = ({ items, align = 'start', className, ...triggerProps }: MenuProps) => {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const { open, show, hide, hideNow } = useDelayedOpen(menuDelays)
  const { setAnchor, setBox, style } = useAnchored(open, `bottom-${align}`)
  const isReturningFocus = useRef(false)
  const wasOpenAtTouch = useRef(false)
  const hoverHandlers = useHover(open, show)
  // A closing dialog returns the focus to the button: that must not open the menu.
  const isFocusInDialog = useRef(false)
  useOutsidePress(root, open, hideNow)

  // Returning the focus to the button must not reopen the menu.
  const closeAndFocusButton = useCallback(() => {
    isReturningFocus.current = true
    root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    isReturningFocus.current = false
    hideNow()
  }, [hideNow])

  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.stopPropagation()
      closeAndFocusButton()
      return
    }
    const onButton = enabledItemsIn(root.current).every((choice) => !choice.matches(':focus'))
    if (onButton && opensMenu(event.key)) flushSync(show)
    const enabledItems = enabledItemsIn(root.current)
    const index = enabledItems.findIndex((choice) => choice.matches(':focus'))
    const next = menuMove(event.key, { labels: enabledItems.map((choice) => choice.textContent?.trim() ?? ''), index })
    if (next === undefined) return
    event.preventDefault()
    enabledItems[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for events of the button and menu inside, which have their own roles
    <div
      ref={root}
      className={classNames(styles.root, className)}
      {...hoverHandlers}
      onPointerLeave={(event) => isMouse(event) && hide()}
      onPointerDown={(event) => {
        wasOpenAtTouch.current = open && !isMouse(event)
      }}
      onFocus={({ relatedTarget }) => {
        const isReturnedByDialog = isFocusInDialog.current && relatedTarget === null
        isFocusInDialog.current = false
        if (!isReturningFocus.current && !isReturnedByDialog) show()
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        isFocusInDialog.current = isFocusMovingToDialog(event)
        hide()
      }}
      onKeyDown={handleKey}
    >
      <MenuTrigger
        {...triggerProps}
        ref={setAnchor}
        menuId={id}
        open={open}
        onClick={() => (wasOpenAtTouch.current ? hideNow() : show())}
      />
      {open && (
        <div ref={setBox} id={id} role="menu" aria-label={triggerProps.label} className={styles.menu} style={style}>
          {items.map((item, index) =>
            item === 'separator' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a separator has nothing but its position
              <hr key={`line ${index}`} className={styles.line} />
            ) : (
              <MenuEntry key={item.label} item={item} onChosen={closeAndFocusButton} />
            ),
          )}
        </div>
      )}
    </div>
  )
}

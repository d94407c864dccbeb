import { type FocusEvent, type KeyboardEvent, type PointerEvent, useCallback, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../class-names.ts'
import styles from './menu.module.css'
import { MenuEntry, type MenuItem } from './menu-entry.tsx'
import { menuMove, opensMenu } from './menu-keys.ts'
import { MenuTrigger, type MenuTriggerLook } from './menu-trigger.tsx'
import { useAnchored } from './use-anchored.ts'
import { useDelayedOpen } from './use-delayed-open.ts'
import { useOutsidePress } from './use-outside-press.ts'

/** Milliseconds until a menu opens and closes (sections 4 and 9). */
export const menuDelays = { showMs: 0, hideMs: 400 } as const

export type MenuProps = MenuTriggerLook & {
  items: readonly (MenuItem | 'separator')[]
  /** The edge aligned with its button. */
  align?: 'start' | 'end'
  className?: string
}

const withMouse = (event: PointerEvent) => event.pointerType !== 'touch'

/** Whether the focus moves into a dialog above the element. */
const goesToDialog = ({ currentTarget, relatedTarget }: FocusEvent): boolean => {
  const dialog = relatedTarget instanceof Element ? relatedTarget.closest('[aria-modal="true"]') : null
  return dialog !== null && !dialog.contains(currentTarget)
}

const choicesIn = (root: HTMLElement | null) => [
  ...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled])') ?? []),
]

/**
 * A button with a menu: opens at once on hover, focus or tap, and closes 400 ms after losing both. Arrow keys, Home,
 * End and first letters move; Escape closes it and focuses the button.
 */
export const Menu = ({ items, align = 'start', className, ...look }: MenuProps) => {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const { open, show, hide, hideNow } = useDelayedOpen(menuDelays)
  const { setAnchor, setBox, style } = useAnchored(open, `bottom-${align}`)
  const returning = useRef(false)
  const openAtTouch = useRef(false)
  // A closing dialog returns the focus to the button: that must not open the menu.
  const isLent = useRef(false)
  useOutsidePress(root, open, hideNow)

  // Returning the focus to the button must not reopen the menu.
  const leave = useCallback(() => {
    returning.current = true
    root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    returning.current = false
    hideNow()
  }, [hideNow])

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.stopPropagation()
      leave()
      return
    }
    const onButton = choicesIn(root.current).every((choice) => !choice.matches(':focus'))
    if (onButton && opensMenu(event.key)) flushSync(show)
    const choices = choicesIn(root.current)
    const index = choices.findIndex((choice) => choice.matches(':focus'))
    const next = menuMove(event.key, { labels: choices.map((choice) => choice.textContent?.trim() ?? ''), index })
    if (next === undefined) return
    event.preventDefault()
    choices[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens for events of the button and menu inside, which have their own roles
    <div
      ref={root}
      className={classNames(styles.root, className)}
      onPointerEnter={(event) => withMouse(event) && show()}
      onPointerLeave={(event) => withMouse(event) && hide()}
      onPointerDown={(event) => {
        openAtTouch.current = open && !withMouse(event)
      }}
      onFocus={({ relatedTarget }) => {
        const isGivenBack = isLent.current && relatedTarget === null
        isLent.current = false
        if (!returning.current && !isGivenBack) show()
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        isLent.current = goesToDialog(event)
        hide()
      }}
      onKeyDown={press}
    >
      <MenuTrigger
        {...look}
        ref={setAnchor}
        menuId={id}
        open={open}
        onClick={() => (openAtTouch.current ? hideNow() : show())}
      />
      {open && (
        <div ref={setBox} id={id} role="menu" aria-label={look.label} className={styles.menu} style={style}>
          {items.map((item, index) =>
            item === 'separator' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a separator has nothing but its position
              <hr key={`line ${index}`} className={styles.line} />
            ) : (
              <MenuEntry key={item.label} item={item} onChosen={leave} />
            ),
          )}
        </div>
      )}
    </div>
  )
}

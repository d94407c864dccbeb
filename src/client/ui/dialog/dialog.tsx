import * as Radix from '@radix-ui/react-dialog'
import X from 'lucide-react/icons/x'
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import styles from './dialog.module.css'
import { DialogCloseContext } from './dialog-close.ts'
import { lockScroll } from './scroll-lock.ts'

/** Widths of a dialog (section 9). */
export const dialogSizes = ['small', 'medium', 'large', 'xl'] as const

export type DialogSize = (typeof dialogSizes)[number]

export const defaultDialogSize: DialogSize = 'medium'

/** Duration of the dialog's fade in milliseconds (sections 4 and 9); must equal `--motion` in the style sheet. */
export const dialogFadeMs = 150

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** One or two sentences under the title, announced when it opens. */
  description?: ReactNode
  size?: DialogSize
  /** False disables closing by Escape and outside taps, and hides the close button (section 4). */
  closable?: boolean
  /** Buttons at the bottom, the main one last. */
  actions?: ReactNode
  role?: 'dialog' | 'alertdialog'
  children?: ReactNode
}

// A tap on a toast is not an outside tap: it closes the toast, not the dialog.
const isToast = (target: EventTarget | null) => target instanceof Element && target.closest('.Toastify') !== null

// Focuses the element that requests it, or else the dialog itself, so that its title is announced and no key press hits
// a button by accident.
const focusFirst = (dialog: EventTarget | null) => {
  if (!(dialog instanceof HTMLElement)) return
  const first = dialog.querySelector<HTMLElement>('[data-first-focus]') ?? dialog
  first.focus()
}

/**
 * Returns handlers that complete a change of focus which Radix interrupts: when something is removed from the dialog while the focus moves,
 * such as the tooltip of the control that loses it, Radix finds nothing focused and focuses the dialog itself.
 */
const useCompletedFocus = () => {
  const nextFocus = useRef<EventTarget>(null)
  return {
    onBlur: ({ relatedTarget }: FocusEvent) => {
      nextFocus.current = relatedTarget
      // A change of focus that was not interrupted, or not possible, is over in the next task.
      setTimeout(() => {
        nextFocus.current = null
      })
    },
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      const next = nextFocus.current
      nextFocus.current = null
      if (target === currentTarget && next instanceof HTMLElement && currentTarget.contains(next)) next.focus()
    },
  }
}

/**
 * A modal dialog: fades in 150 ms, closes by Escape or an outside tap unless disabled, and locks the page's scrolling
 * (section 4). Uses its own backdrop, since Radix's injects a style element, which the Content-Security-Policy forbids.
 * An element with `data-first-focus` gets the focus. Heavy: load it with `lazy` unless it is needed at once.
 */
export const Dialog = (props: DialogProps) => {
  const {
    open,
    onClose,
    title,
    description,
    size = defaultDialogSize,
    closable = true,
    actions,
    role = 'dialog',
    children,
  } = props
  const opener = useRef<Element>(null)
  const completedFocus = useCompletedFocus()
  // Stores the focused element before the content mounts: it gets the focus back, even if an input inside takes it at
  // once.
  useLayoutEffect(() => {
    if (!open) return
    opener.current = document.activeElement
    return lockScroll()
  }, [open])
  const preventCloseIfDisabled = (event: Event) => closable || event.preventDefault()
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <div className={styles.backdrop} data-state={open ? 'open' : 'closed'}>
          <Radix.Content
            forceMount
            {...completedFocus}
            role={role}
            // The background is hidden while it is open; accessibility checkers recognise a modal alert dialog only by
            // this attribute.
            aria-modal="true"
            className={classNames(styles.dialog, styles[size])}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onEscapeKeyDown={preventCloseIfDisabled}
            onPointerDownOutside={(event) =>
              isToast(event.target) ? event.preventDefault() : preventCloseIfDisabled(event)
            }
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              focusFirst(event.currentTarget)
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              if (opener.current instanceof HTMLElement) opener.current.focus()
            }}
          >
            <header className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {closable && <IconButton icon={X} label="Close" className={styles.close} onClick={onClose} />}
            </header>
            {description && <Radix.Description className={styles.description}>{description}</Radix.Description>}
            {children && (
              <DialogCloseContext value={closable ? onClose : null}>
                <div className={styles.body}>{children}</div>
              </DialogCloseContext>
            )}
            {actions && <footer className={styles.actions}>{actions}</footer>}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

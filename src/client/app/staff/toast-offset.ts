import { useEffect } from 'react'
import { toastLog } from '#ui/toast/toast.ts'
import { toastSettings } from '#ui/toast/toast-settings.ts'

export type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }

/** Pixels between a toast and the actions below it. */
const gap = 8

const overlap = (one: Box, other: Box): boolean =>
  one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right

/**
 * The smallest number of pixels to lift the toasts so that they cover no action. 0 if no position is free: toasts then stay at their
 * usual place until they close.
 */
export const toastOffset = (actions: readonly Box[], toasts: Box): number => {
  const lifted = (lift: number): Box => ({ ...toasts, top: toasts.top - lift, bottom: toasts.bottom - lift })
  const lifts = [0, ...actions.map(({ top }) => toasts.bottom - top + gap)]
  const possible = lifts.filter((lift) => lift >= 0 && lift <= toasts.top).toSorted((one, other) => one - other)
  return possible.find((lift) => !actions.some((action) => overlap(action, lifted(lift)))) ?? 0
}

/** Boxes of elements marked `data-actions`, and of the controls in open dialogs. */
const actionsOf = (page: Document): Box[] => {
  const found = page.querySelectorAll(
    '[data-actions], :is([role="dialog"], [role="alertdialog"]) :is(button, [role="option"])',
  )
  return [...found].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
}

const toastsOf = (page: Document): Box | undefined => {
  const boxes = [...page.querySelectorAll('.Toastify__toast')].map((one) => one.getBoundingClientRect())
  if (boxes.length === 0) return undefined
  const [tops, bottoms] = [boxes.map(({ top }) => top), boxes.map(({ bottom }) => bottom)]
  const [left, right] = [boxes.map((one) => one.left), boxes.map((one) => one.right)]
  return {
    ...{ top: Math.min(...tops), bottom: Math.max(...bottoms) },
    ...{ left: Math.min(...left), right: Math.max(...right) },
  }
}

const trackToastOffset = (page: Document): (() => void) => {
  const { style } = page.documentElement
  let frame = 0
  let until = 0
  let lift = 0
  const move = (next: number) => {
    if (next !== lift) style.setProperty('--toast-lift', `${next}px`)
    lift = next
  }
  const update = () => {
    const shown = toastsOf(page)
    if (shown) move(toastOffset(actionsOf(page), { ...shown, top: shown.top + lift, bottom: shown.bottom + lift }))
    // Bars appear, stick and scroll without an event, so their position is read each frame while a toast is shown.
    const isActive = shown !== undefined || performance.now() < until
    if (!isActive) move(0)
    frame = isActive ? requestAnimationFrame(update) : 0
  }
  const begin = () => {
    until = performance.now() + toastSettings.autoClose
    frame ||= requestAnimationFrame(update)
  }
  begin()
  const unsubscribe = toastLog.subscribe(begin)
  return () => {
    unsubscribe()
    cancelAnimationFrame(frame)
    style.removeProperty('--toast-lift')
  }
}

/** Keeps toasts, which appear bottom right (section 9), from covering action bars and navigation bars in the same corner. */
export const useToastOffset = (): void => useEffect(() => trackToastOffset(document), [])

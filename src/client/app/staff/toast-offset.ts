import { useEffect } from 'react'
import { toastLog, toastSettings } from '#ui/toast/toast.ts'

export type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }

/** Pixels between a toast and the actions below it. */
const gap = 8

const overlap = (first: Box, second: Box): boolean =>
  first.top < second.bottom && second.top < first.bottom && first.left < second.right && second.left < first.right

/**
 * The smallest number of pixels to lift the toasts so that they cover no action. 0 if no position is free: toasts then stay at their
 * usual place until they close.
 */
export const toastOffset = (actions: readonly Box[], toasts: Box): number => {
  const liftedBox = (lift: number): Box => ({ ...toasts, top: toasts.top - lift, bottom: toasts.bottom - lift })
  const lifts = [0, ...actions.map(({ top }) => toasts.bottom - top + gap)]
  const possibleLifts = lifts
    .filter((lift) => lift >= 0 && lift <= toasts.top)
    .toSorted((first, second) => first - second)
  return possibleLifts.find((lift) => !actions.some((action) => overlap(action, liftedBox(lift)))) ?? 0
}

/** Boxes of elements marked `data-actions`, and of the controls in open dialogs. */
const actionsOf = (page: Document): Box[] => {
  const elements = page.querySelectorAll(
    '[data-actions], :is([role="dialog"], [role="alertdialog"]) :is(button, [role="option"])',
  )
  return [...elements].map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0)
}

const toastsOf = (page: Document): Box | undefined => {
  const boxes = [...page.querySelectorAll('.Toastify__toast')].map((element) => element.getBoundingClientRect())
  if (boxes.length === 0) return undefined
  const [tops, bottoms] = [boxes.map(({ top }) => top), boxes.map(({ bottom }) => bottom)]
  const [left, right] = [boxes.map((box) => box.left), boxes.map((box) => box.right)]
  return {
    ...{ top: Math.min(...tops), bottom: Math.max(...bottoms) },
    ...{ left: Math.min(...left), right: Math.max(...right) },
  }
}

const trackToastOffset = (page: Document): (() => void) => {
  const { style } = page.documentElement
  let frame = 0
  let activeUntil = 0
  let lift = 0
  const move = (next: number) => {
    if (next !== lift) style.setProperty('--toast-lift', `${next}px`)
    lift = next
  }
  const update = () => {
    const toastBox = toastsOf(page)
    if (toastBox)
      move(toastOffset(actionsOf(page), { ...toastBox, top: toastBox.top + lift, bottom: toastBox.bottom + lift }))
    // Bars appear, stick and scroll without an event, so their position is read each frame while a toast is shown.
    const isActive = toastBox !== undefined || performance.now() < activeUntil
    if (!isActive) move(0)
    frame = isActive ? requestAnimationFrame(update) : 0
  }
  const start = () => {
    activeUntil = performance.now() + toastSettings.autoClose
    frame ||= requestAnimationFrame(update)
  }
  start()
  const unsubscribe = toastLog.subscribe(start)
  return () => {
    unsubscribe()
    cancelAnimationFrame(frame)
    style.removeProperty('--toast-lift')
  }
}

/** Keeps toasts, which appear bottom right (section 9), from covering action bars and navigation bars in the same corner. */
export const useToastOffset = (): void => useEffect(() => trackToastOffset(document), [])

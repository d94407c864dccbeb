import { useEffect } from 'react'
import { toastLog } from '#ui/toast/toast.ts'
import { toastSettings } from '#ui/toast/toast-settings.ts'

export type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }

/** Pixels between a toast and what it keeps off. */
const gap = 8

const meet = (one: Box, other: Box): boolean =>
  one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right

/**
 * How many pixels toasts that would stand in `toasts` are lifted so that they cover none of the actions: the fewest that do. None where
 * there is no such place: then they are where everybody looks for them, and pass.
 */
export const toastOffset = (actions: readonly Box[], toasts: Box): number => {
  const lifted = (lift: number): Box => ({ ...toasts, top: toasts.top - lift, bottom: toasts.bottom - lift })
  const lifts = [0, ...actions.map(({ top }) => toasts.bottom - top + gap)]
  const possible = lifts.filter((lift) => lift >= 0 && lift <= toasts.top).toSorted((one, other) => one - other)
  return possible.find((lift) => !actions.some((action) => meet(action, lifted(lift)))) ?? 0
}

/** What stays in reach while the rest scrolls, by its mark, and what can be tapped of whatever stands above the page. */
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
  const place = () => {
    const shown = toastsOf(page)
    if (shown) move(toastOffset(actionsOf(page), { ...shown, top: shown.top + lift, bottom: shown.bottom + lift }))
    // A bar comes and goes, sticks and scrolls, with nothing to be told by: it is looked at for as long as there is a toast.
    const goesOn = shown !== undefined || performance.now() < until
    if (!goesOn) move(0)
    frame = goesOn ? requestAnimationFrame(place) : 0
  }
  const begin = () => {
    until = performance.now() + toastSettings.autoClose
    frame ||= requestAnimationFrame(place)
  }
  begin()
  const forget = toastLog.subscribe(begin)
  return () => {
    forget()
    cancelAnimationFrame(frame)
    style.removeProperty('--toast-lift')
  }
}

/** Keeps toasts, which stand bottom right (section 9), off the bars that save, choose and lead: a tablet has them in the same corner. */
export const useToastOffset = (): void => useEffect(() => trackToastOffset(document), [])

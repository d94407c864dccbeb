import { toastSettings, toastText } from './toast-settings.ts'

export type ToastTone = 'info' | 'success' | 'error'

export type Toast = { id: number; tone: ToastTone; text: string }

let log: readonly Toast[] = []
const listeners = new Set<() => void>()

/**
 * Shows a temporary message: bottom right, 5 seconds (section 9). `ToastHost`, mounted once by the app, announces and
 * shows it, loading the toast library on first use.
 */
export const toast = (text: string, tone: ToastTone = 'info'): void => {
  if (text === '') return
  log = [...log, { id: (log.at(-1)?.id ?? 0) + 1, tone, text }].slice(-toastSettings.limit)
  for (const listener of listeners) listener()
}

/** Shows the errors of a failed result as one toast (section 8): the only one, or 'Oops:' and one per line. */
export const toastError = (errors: readonly string[]): void => toast(toastText(errors), 'error')

/** For the host: the latest toasts, oldest first, and a subscription. */
export const toastLog = {
  current: (): readonly Toast[] => log,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

import { createSignal } from '#platform/signal.ts'

/** Settings of the toast library's container (section 9). `limit` is also the length of the log. */
export const toastSettings = {
  autoClose: 5000,
  position: 'bottom-right',
  closeOnClick: true,
  pauseOnHover: true,
  pauseOnFocusLoss: true,
  hideProgressBar: true,
  limit: 20,
} as const

/** The toast text of a failed result: its only error, or 'Oops:' and one error per line (section 8). Empty without errors. */
export const toastText = (errors: readonly string[]): string =>
  errors.length > 1 ? ['Oops:', ...errors].join('\n') : (errors[0] ?? '')

export type ToastTone = 'info' | 'success' | 'error'

export type Toast = { id: number; tone: ToastTone; text: string }

/** The latest toasts, oldest first. */
export const toastLog = createSignal<readonly Toast[]>([])

/**
 * Shows a temporary message (section 9); does nothing if the text is empty. The message is added to the log, and
 * `ToastHost`, which the app mounts once, announces and shows it; it loads the toast library on first use.
 */
export const toast = (text: string, tone: ToastTone = 'info'): void => {
  if (text === '') return
  const log = toastLog.current()
  toastLog.set([...log, { id: (log.at(-1)?.id ?? 0) + 1, tone, text }].slice(-toastSettings.limit))
}

/** Shows the errors of a failed result as one toast; see `toastText`. */
export const toastError = (errors: readonly string[]): void => toast(toastText(errors), 'error')

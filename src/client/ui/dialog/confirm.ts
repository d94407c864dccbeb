import { createSignal } from '#platform/signal.ts'

/** The kind of prompt: a question with two answers, or a message. */
export type ConfirmType = 'confirm' | 'alert'

/** Defaults of a prompt and of its button labels (section 4). */
export const confirmDefaults = { type: 'confirm', cancelText: 'Cancel', confirmText: 'Confirm' } as const

export type ConfirmRequest = {
  title: string
  message?: string
  type?: ConfirmType
  /** Only for `confirm`. */
  cancelText?: string
  confirmText?: string
  /** Confirming is destructive. */
  danger?: boolean
}

/** A displayed prompt. After the answer it stays, closed, so that its text remains during the fade. */
export type ConfirmPrompt = { request: ConfirmRequest; open: boolean; answer: (yes: boolean) => void }

let queue: readonly ConfirmPrompt[] = []

/** The displayed prompt; undefined before the first one. */
export const confirmPrompt = createSignal<ConfirmPrompt | undefined>(undefined)

const show = (next: readonly ConfirmPrompt[]) => {
  const previous = confirmPrompt.current()
  queue = next
  confirmPrompt.set(queue[0] ?? (previous && { ...previous, open: false }))
}

/**
 * Asks the user. Resolves to true on confirm, false on cancel or close (section 4). Concurrent prompts are queued.
 * Requires `ConfirmHost`, mounted once by the app.
 */
export const confirm = (request: ConfirmRequest): Promise<boolean> =>
  new Promise((resolve) => {
    const prompt: ConfirmPrompt = {
      request,
      open: true,
      answer: (yes) => {
        show(queue.filter((other) => other !== prompt))
        resolve(yes)
      },
    }
    show([...queue, prompt])
  })

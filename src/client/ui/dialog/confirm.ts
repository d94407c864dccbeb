/** What a prompt is: a question with two answers, or something to take note of. */
export type ConfirmType = 'confirm' | 'alert'

/** What a prompt is unless the screen says otherwise, and the words on its buttons (section 4). */
export const confirmDefaults = { type: 'confirm', cancelText: 'Cancel', confirmText: 'Confirm' } as const

export type ConfirmRequest = {
  title: string
  message?: string
  type?: ConfirmType
  /** Only a confirm has it. */
  cancelText?: string
  confirmText?: string
  /** The answer destroys something. */
  danger?: boolean
}

/** A prompt on the screen; one just answered stays, closed, so that its words don't vanish before it has faded. */
export type ConfirmPrompt = { request: ConfirmRequest; open: boolean; answer: (yes: boolean) => void }

let queue: readonly ConfirmPrompt[] = []
let shown: ConfirmPrompt | undefined
const listeners = new Set<() => void>()

const show = (next: readonly ConfirmPrompt[]) => {
  queue = next
  shown = queue[0] ?? (shown && { ...shown, open: false })
  for (const listener of listeners) listener()
}

/**
 * Asks the person. Resolves true on confirm, false on cancel or close (section 4). Prompts asked at the same time follow one
 * another. `ConfirmHost`, mounted once by the shell, shows them.
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

/** For the host: the prompt to show, and how to hear of a change. */
export const confirmQueue = {
  current: (): ConfirmPrompt | undefined => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

import { createSignal } from './signal.ts'

/** What Chromium hands to a page it could install (MDN, BeforeInstallPromptEvent). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** The browser's own question, kept until the moment for it; null where it has none, or was asked already. */
export const installPrompt = createSignal<InstallPrompt | null>(null)

/** Keeps the browser's question for later, instead of the bar it would show at once; once, at start. */
export const watchInstallPrompt = (target: Window): void => {
  target.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt.set(event as InstallPrompt) // the browser's name for it
  })
  target.addEventListener('appinstalled', () => installPrompt.set(null))
}

import { createSignal } from './signal.ts'

/** Stored once the install offer was dismissed. Clearing the device deletes it. */
export const installDismissedKey = 'install-dismissed'

/** Chromium's event for installable pages (MDN, BeforeInstallPromptEvent). */
export type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** The browser's install prompt, deferred; null if there is none or it was used. */
export const installPrompt = createSignal<InstallPrompt | null>(null)

/** Defers the browser's install prompt instead of letting it show at once; called once at startup. */
export const watchInstallPrompt = (target: Window): void => {
  target.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt.set(event as InstallPrompt) // the type that the browser documents for this event
  })
  target.addEventListener('appinstalled', () => installPrompt.set(null))
}

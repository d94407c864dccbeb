import { createSignal } from '../signal.ts'

/** Set when a new version waits for consent: calling it flushes all input and activates the new version. */
export const pendingUpdate = createSignal<{ accept: () => Promise<void> } | null>(null)

import { createSignal } from '../signal.ts'

/** Set when a new version waits for the customer's consent: calling it keeps everything typed and loads the new one. */
export const pendingUpdate = createSignal<{ accept: () => Promise<void> } | null>(null)

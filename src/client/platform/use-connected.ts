import { useOnline } from './online.ts'
import { useDelayedFalse } from './use-delayed-false.ts'

/** Milliseconds for which the network has to be gone before it is mentioned: short gaps are nobody's business. */
const offlineWordsMs = 2000

/** Whether the network is there, as every screen of an event says it. */
export const useConnected = (): boolean => useDelayedFalse(useOnline(), offlineWordsMs)

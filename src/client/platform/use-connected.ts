import { useOnline } from './online.ts'
import { useDelayedFalse } from './use-delayed-false.ts'

/** Milliseconds the network must be gone before it is reported: short gaps are ignored. */
const offlineWordsMs = 2000

/** Whether the network is available, as all screens of a job show it. */
export const useConnected = (): boolean => useDelayedFalse(useOnline(), offlineWordsMs)

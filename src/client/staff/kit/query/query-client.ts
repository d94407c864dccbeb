import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { online } from '#platform/online.ts'
import { claimsAtom } from '../session/current-session.ts'

// One word on whether there is a network for the whole page, ours: what a call met counts, not what the browser supposes.
onlineManager.setEventListener((tell) => online.subscribe(() => tell(online.current())))

// A tablet that wakes asks again; a click into a window does not.
focusManager.setEventListener((tell) => {
  const look = () => tell(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
})

/** What staff screens were answered, for as long as the tab lives. What failed for want of a network is asked again once there is one. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 2_000 },
    mutations: { networkMode: 'always' },
  },
})

// What one person was answered is not for the next one at this tablet.
const store = getDefaultStore()
store.sub(claimsAtom, () => {
  if (!store.get(claimsAtom)) queryClient.clear()
})

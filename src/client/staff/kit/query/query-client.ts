import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { online } from '#platform/online.ts'
import { claimsAtom } from '../session/current-session.ts'

// Uses our own online state, which reflects the outcome of requests, instead of the browser's.
onlineManager.setEventListener((setValue) => online.subscribe(() => setValue(online.current())))

// Refetches when the tab becomes visible, for example when a tablet wakes up, but not when the window gets the focus.
focusManager.setEventListener((setValue) => {
  const onVisibilityChange = () => setValue(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => document.removeEventListener('visibilitychange', onVisibilityChange)
})

/** Cache of staff queries for the lifetime of the tab. Queries on the screen are refetched when the network returns. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // With `networkMode: 'always'` the default of `refetchOnReconnect` is false.
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 2_000 },
    mutations: { networkMode: 'always' },
  },
})

// The next user of this tablet must not see the previous user's data.
const store = getDefaultStore()
store.sub(claimsAtom, () => {
  if (!store.get(claimsAtom)) queryClient.clear()
})

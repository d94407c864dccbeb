import { lazy, Suspense, useSyncExternalStore } from 'react'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { FallbackToast } from './fallback-toast.tsx'
import { type Toast, toastLog } from './toast.ts'

const ToastShelf = lazy(() =>
  import('./toast-region.tsx').then(
    (shelf) => ({ default: shelf.ToastRegion }),
    () => ({ default: FallbackToast }),
  ),
)

const none: readonly Toast[] = []

/**
 * Shows toasts. Mounted once by the app, from the start: a live region only announces content added after it exists.
 * The library is loaded with the first toast.
 */
export const ToastHost = () => {
  const log = useSyncExternalStore(toastLog.subscribe, toastLog.current, () => none)
  const latest = log.at(-1)
  return (
    <>
      <VisuallyHidden>
        <span role="status">{latest && latest.tone !== 'error' && <span key={latest.id}>{latest.text}</span>}</span>
        <span role="alert">{latest?.tone === 'error' && <span key={latest.id}>{latest.text}</span>}</span>
      </VisuallyHidden>
      {latest && (
        <Suspense>
          <ToastShelf log={log} />
        </Suspense>
      )}
    </>
  )
}

import { lazy, Suspense } from 'react'
import { useSignal } from '#platform/signal.ts'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { FallbackToast } from './fallback-toast.tsx'
import { toastLog } from './toast.ts'

const LazyToastRegion = lazy(() =>
  import('./toast-region.tsx').then(
    (module) => ({ default: module.ToastRegion }),
    () => ({ default: FallbackToast }),
  ),
)

/**
 * Shows toasts. Mounted once by the app, from the start: a live region only announces content added after it exists.
 * The library is loaded with the first toast.
 */
export const ToastHost = () => {
  const log = useSignal(toastLog)
  const latest = log.at(-1)
  return (
    <>
      <VisuallyHidden>
        <span role="status">{latest && latest.tone !== 'error' && <span key={latest.id}>{latest.text}</span>}</span>
        <span role="alert">{latest?.tone === 'error' && <span key={latest.id}>{latest.text}</span>}</span>
      </VisuallyHidden>
      {latest && (
        <Suspense>
          <LazyToastRegion log={log} />
        </Suspense>
      )}
    </>
  )
}

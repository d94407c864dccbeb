import { lazy, Suspense, useSyncExternalStore } from 'react'
import { confirmQueue } from './confirm.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Shows what `confirm()` asks. Mounted once, by the shell; the dialog itself is loaded with the first question. */
export const ConfirmHost = () => {
  const shown = useSyncExternalStore(confirmQueue.subscribe, confirmQueue.current, () => undefined)
  if (!shown) return null
  return (
    <Suspense>
      <ConfirmDialog {...shown} />
    </Suspense>
  )
}

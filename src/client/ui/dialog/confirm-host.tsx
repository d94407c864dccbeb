import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { type ConfirmPrompt, confirmQueue } from './confirm.ts'
import { NativeConfirm } from './native-confirm.tsx'

const ConfirmDialog = lazy<ComponentType<ConfirmPrompt>>(() =>
  import('./confirm-dialog.tsx').then(
    (dialog) => ({ default: dialog.ConfirmDialog }),
    () => ({ default: NativeConfirm }),
  ),
)

/** Shows the prompts of `confirm()`. Mounted once by the app; the dialog itself is loaded with the first prompt. */
export const ConfirmHost = () => {
  const shown = useSyncExternalStore(confirmQueue.subscribe, confirmQueue.current, () => undefined)
  if (!shown) return null
  return (
    <Suspense>
      <ConfirmDialog {...shown} />
    </Suspense>
  )
}

import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { useSignal } from '#platform/signal.ts'
import { type ConfirmPrompt, confirmPrompt } from './confirm.ts'

/** Asks with the browser's own prompt if the dialog could not be loaded, so that the question is not lost. */
export const NativeConfirm = ({ request, open, answer }: ConfirmPrompt) => {
  const { type, title, message } = request
  useEffect(() => {
    if (!open) return
    const text = [title, message].filter(Boolean).join('\n\n')
    if (type !== 'alert') {
      answer(window.confirm(text))
      return
    }
    window.alert(text)
    answer(true)
  }, [open, answer, type, title, message])
  return null
}

const ConfirmDialog = lazy<ComponentType<ConfirmPrompt>>(() =>
  import('./confirm-dialog.tsx').then(
    (dialog) => ({ default: dialog.ConfirmDialog }),
    () => ({ default: NativeConfirm }),
  ),
)

/** Shows the prompts of `confirm()`. Mounted once by the app; the dialog itself is loaded with the first prompt. */
export const ConfirmHost = () => {
  const prompt = useSignal(confirmPrompt)
  if (!prompt) return null
  return (
    <Suspense>
      <ConfirmDialog {...prompt} />
    </Suspense>
  )
}

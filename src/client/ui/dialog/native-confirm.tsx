import { useEffect } from 'react'
import type { ConfirmPrompt } from './confirm.ts'

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

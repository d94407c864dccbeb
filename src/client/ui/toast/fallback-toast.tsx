import { useEffect, useState } from 'react'
import styles from './fallback-toast.module.css'
import { type Toast, toastSettings } from './toast.ts'

/** Shows the latest toast if the toast library could not be loaded. */
export const FallbackToast = ({ log }: { log: readonly Toast[] }) => {
  const latest = log.at(-1)
  const [dismissedId, setDismissedId] = useState(0)
  const id = latest?.id ?? 0
  useEffect(() => {
    const timer = setTimeout(() => setDismissedId(id), toastSettings.autoClose)
    return () => clearTimeout(timer)
  }, [id])
  if (!latest || dismissedId === id) return null
  return (
    <div aria-hidden="true" className={styles.toast}>
      {latest.text}
    </div>
  )
}

import { useEffect, useState } from 'react'
import { savedStatus } from '#local/store/cart-status.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** Milliseconds after which unsent changes are reported; most changes are sent within a second. */
const waitMs = 4000

/** Whether changes to the cart have been unsent for some time. It stays true while they are being sent again. */
const useIsWaiting = (kind: CartView['status']['kind']): boolean => {
  const [isLate, setIsLate] = useState(false)
  const [isUnsent, isDone] = [kind === savedStatus.kind, kind === 'sent' || kind === 'empty']
  useEffect(() => {
    if (isDone) setIsLate(false)
    if (!isUnsent) return
    const timer = setTimeout(() => setIsLate(true), waitMs)
    return () => clearTimeout(timer)
  }, [isUnsent, isDone])
  return isLate && !isDone
}

/** Saves changes that wait for a network at the studio now, instead of at the next attempt. */
export const UnsentNotice = ({ view: { status } }: { view: CartView }) => {
  const [isSending, setSending] = useState(false)
  const isOnline = useConnected()
  if (!useIsWaiting(status.kind)) return null
  const sendNow = async () => {
    setSending(true)
    await startPageSync()
      .wake('tap')
      .finally(() => setSending(false))
  }
  return (
    <Notice
      title="Saved on this phone only"
      action={
        <Button size="sm" variant="secondary" loading={isSending} onClick={() => void sendNow()}>
          Send now
        </Button>
      }
    >
      {isOnline
        ? 'We couldn’t reach the studio’s shop yet, and keep trying. Your cart is safe on this phone.'
        : 'There is no connection. Your cart is safe on this phone, and is saved online once there is one.'}
    </Notice>
  )
}

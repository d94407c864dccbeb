import { useEffect, useState } from 'react'
import { savedStatus } from '#local/store/cart-status.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** Milliseconds for which changes must wait before it is said: most are sent within one. */
const waitMs = 4000

/** Whether changes of the cart are on this device only and nothing is sending them, for some time. */
const useIsWaiting = (kind: CartView['status']['kind']): boolean => {
  const [isLate, setIsLate] = useState(false)
  const isUnsent = kind === savedStatus.kind
  useEffect(() => {
    if (!isUnsent) return setIsLate(false)
    const timer = setTimeout(() => setIsLate(true), waitMs)
    return () => clearTimeout(timer)
  }, [isUnsent])
  return isUnsent && isLate
}

/** Sends changes that wait for a network at once, instead of at the next attempt. */
export const UnsentNotice = ({ view: { status } }: { view: CartView }) => {
  const [tries, setTries] = useState(0)
  if (!useIsWaiting(status.kind)) return null
  const sendNow = async () => {
    await startPageSync().wake('tap')
    setTries((before) => before + 1)
  }
  return (
    <Notice
      title="Not sent to the studio yet"
      action={
        <Button size="sm" variant="secondary" onClick={() => void sendNow()}>
          Send now
        </Button>
      }
    >
      {tries === 0
        ? 'Your cart is safe on this phone, and is sent as soon as there is a connection.'
        : 'There is still no connection. Your cart stays safe on this phone, and we keep trying.'}
    </Notice>
  )
}

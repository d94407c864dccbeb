import { useEffect, useState } from 'react'
import { checkStorageHealth, requestPersistentStorage, type StorageHealth } from '#platform/storage-persistence.ts'
import { Notice } from '#ui/feedback/notice.tsx'

const isPrivateWindow = async (): Promise<boolean> => {
  const { detectIncognito } = await import('detectincognitojs')
  return (await detectIncognito()).isPrivate
}

const messages = {
  short: {
    title: 'This phone is almost out of room',
    text: 'Your cart is safe. Some photos may be missing offline until you free some space.',
  },
  fleeting: {
    title: 'You’re in a private window',
    text: 'Your cart disappears when you close it.',
  },
} as const satisfies Record<Exclude<StorageHealth, 'well'>, object>

/** Asks the browser for persistent storage once the cart has content, and warns if this device may delete the cart. */
export const StorageWarning = () => {
  const [storageHealth, setStorageHealth] = useState<StorageHealth>('well')
  const [dismissed, setDismissed] = useState(false)
  useEffect(() => {
    let isUnmounted = false
    void requestPersistentStorage()
    void checkStorageHealth(navigator.storage, isPrivateWindow).then(
      (health) => isUnmounted || setStorageHealth(health),
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  if (storageHealth === 'well' || dismissed) return null
  const { title, text } = messages[storageHealth]
  return (
    <Notice tone="attention" title={title} onDismiss={() => setDismissed(true)}>
      {text}
    </Notice>
  )
}

import { useEffect, useState } from 'react'
import { checkStorageHealth, requestPersistentStorage, type StorageHealth } from '#platform/storage-persistence.ts'
import { Notice } from '#ui/feedback/notice.tsx'

const looksPrivate = async (): Promise<boolean> => {
  const { detectIncognito } = await import('detectincognitojs')
  return (await detectIncognito()).isPrivate
}

const messages = {
  short: {
    title: 'This phone is almost out of room',
    text: 'Your cart is safe. Without a connection some pictures may be missing until you free some space.',
  },
  fleeting: {
    title: 'You’re in a private window',
    text: 'It forgets your cart when you close it. To come back to it later, order in a normal window.',
  },
} as const satisfies Record<Exclude<StorageHealth, 'well'>, object>

/** Asks the browser for persistent storage once the cart has content, and warns if this device may delete the cart. */
export const StorageWarning = () => {
  const [keeping, setKeeping] = useState<StorageHealth>('well')
  const [dismissed, setDismissed] = useState(false)
  useEffect(() => {
    let left = false
    void requestPersistentStorage()
    void checkStorageHealth(navigator.storage, looksPrivate).then((health) => left || setKeeping(health))
    return () => {
      left = true
    }
  }, [])
  if (keeping === 'well' || dismissed) return null
  const { title, text } = messages[keeping]
  return (
    <Notice tone="attention" title={title} onDismiss={() => setDismissed(true)}>
      {text}
    </Notice>
  )
}

import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import styles from './update-banner.module.css'

/** "New version – Reload": applied on request, never automatically. */
export const UpdateBanner = ({ accept }: { accept: () => Promise<void> }) => {
  const [isDismissed, setDismissed] = useState(false)
  const [isReloading, setIsReloading] = useState(false)
  if (isDismissed) return null
  const reload = () => {
    setIsReloading(true)
    void accept()
  }
  return (
    <div className={styles.banner} role="status">
      <span className={styles.text}>New version</span>
      <Button size="sm" loading={isReloading} onClick={reload}>
        Reload
      </Button>
      <IconButton icon={X} label="Later" size="sm" onClick={() => setDismissed(true)} />
    </div>
  )
}

import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import styles from './update-banner.module.css'

/** "New version – Reload": applied on request, never automatically. */
export const UpdateBanner = ({ accept }: { accept: () => Promise<void> }) => {
  const [hidden, setHidden] = useState(false)
  const [going, setGoing] = useState(false)
  if (hidden) return null
  const reload = () => {
    setGoing(true)
    void accept()
  }
  return (
    <div className={styles.banner} role="status">
      <span className={styles.words}>New version</span>
      <Button size="sm" loading={going} onClick={reload}>
        Reload
      </Button>
      <IconButton icon={X} label="Later" size="sm" onClick={() => setHidden(true)} />
    </div>
  )
}

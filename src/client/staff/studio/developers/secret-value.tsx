import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './secret-value.module.css'

/** A token or a secret, with a button that copies it. */
export const SecretValue = ({ label, text }: { label: string; text: string }) => {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(`${label} copied`)
  }
  return (
    <p className={styles.value}>
      <code>{text}</code>
      <Button variant="secondary" size="sm" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        Copy
      </Button>
    </p>
  )
}

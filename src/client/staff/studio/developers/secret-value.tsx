import { Button } from '#ui/button/button.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import styles from './secret-value.module.css'

/** A token or a secret, with a button that copies it. */
export const SecretValue = ({ label, text }: { label: string; text: string }) => {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${label} copied`),
      // The browser may not allow it; the text can still be selected.
      () => toastError(['Your browser does not allow copying. Select the text instead']),
    )
  return (
    <p className={styles.value}>
      <code>{text}</code>
      <Button variant="secondary" size="sm" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        Copy
      </Button>
    </p>
  )
}

import { Button } from '#ui/button/button.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import styles from './copyable-value.module.css'

/** Copies a text to the clipboard, and shows `message` once it is copied. */
export const copyText = async (text: string, message: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    toast(message)
  } catch {
    // The browser may not allow it; the text can still be selected.
    toastError(['This browser does not allow copying. Select and copy the text instead'])
  }
}

/** A value that is entered elsewhere, such as a secret, with a button that copies it. */
export const CopyableValue = ({ label, text }: { label: string; text: string }) => (
  <div className={styles.value}>
    <span>{label}:</span>
    <code>{text}</code>
    <Button
      variant="quiet"
      size="sm"
      onClick={() => void copyText(text, `${label} copied`)}
      aria-label={`Copy: ${label}`}
    >
      Copy
    </Button>
  </div>
)

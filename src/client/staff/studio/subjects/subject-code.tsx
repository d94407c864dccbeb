import type { StudioSubject } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import { subjectDisplayName } from './subject-format.ts'
import styles from './subjects.module.css'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** A subject's code, its link and its QR code. */
export const SubjectCode = ({ subject, edits }: { subject: StudioSubject; edits: SubjectBulkEdits }) => {
  const { code } = subject
  if (!code) {
    const give = () =>
      edits.edit({ ids: [subject.id] }, { do: 'give-codes' }, () => `${subjectDisplayName(subject)} got a code`)
    return (
      <div className={styles.stack}>
        <p className={styles.soft}>No code of their own: parents use the job's, and look for the name.</p>
        <div>
          <Button variant="secondary" loading={edits.busy} onClick={() => void give()}>
            Give a code
          </Button>
        </div>
      </div>
    )
  }
  const copy = async () => {
    await navigator.clipboard.writeText(code.address)
    toast('The address is copied')
  }
  return (
    <div className={styles.code}>
      <img
        className={styles.qr}
        src={`data:image/svg+xml,${encodeURIComponent(code.qr)}`}
        alt={`QR code that opens ${code.address}`}
      />
      <div className={styles.stack}>
        <p className={styles.letters}>{code.code}</p>
        <p className={styles.soft}>{code.address}</p>
        <div>
          <Button variant="secondary" size="sm" onClick={() => void copy()}>
            Copy the address
          </Button>
        </div>
      </div>
    </div>
  )
}

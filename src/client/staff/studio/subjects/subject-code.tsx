import { copyText } from '#client/staff/kit/screen/copyable-value.tsx'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { hiddenCode } from '#contract/shapes/staff-call.ts'
import type { StudioSubject } from '#contract/studio/subjects.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import styles from './subjects.module.css'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** The access code of a subject, with its link and QR code. */
export const SubjectCode = ({ subject, edits }: { subject: StudioSubject; edits: SubjectBulkEdits }) => {
  const { code } = subject
  if (!code) {
    const assignCode = () =>
      edits.edit({ ids: [subject.id] }, { do: 'give-codes' }, () => `${subjectDisplayName(subject)} got a code`)
    return (
      <div className={styles.stack}>
        <p className={styles.soft}>No own code: parents use the job’s code and search by name.</p>
        <div>
          <Button variant="secondary" loading={edits.busy} onClick={() => void assignCode()}>
            Give a code
          </Button>
        </div>
      </div>
    )
  }
  if (code.code === hiddenCode) return <p className={styles.soft}>{supportMessages.codesHidden}.</p>
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
          <Button variant="secondary" size="sm" onClick={() => void copyText(code.address, 'Address copied')}>
            Copy the address
          </Button>
        </div>
      </div>
    </div>
  )
}

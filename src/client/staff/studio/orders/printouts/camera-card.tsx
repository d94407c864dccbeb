import type { RosterSubject } from '#contract/studio/roster.ts'
import { subjectFullName } from '#domain/subjects/subject-draft.ts'
import styles from './printouts.module.css'

type CameraCardProps = {
  subject: RosterSubject
  jobName: string
  /** Draws the QR code that the shoot day's scanner reads. Returns the URL of an image. */
  drawQrCode: (text: string) => string
}

/** A card to hold in front of the camera, with the subject's name and a QR code. */
export const CameraCard = ({ subject, jobName, drawQrCode }: CameraCardProps) => {
  const { groups, reference, code, opens } = subject
  const name = subjectFullName(subject) || 'No name'
  return (
    <article className={styles.card} aria-label={`Card of ${name}`}>
      <div className={styles.cardText}>
        <h2>{name}</h2>
        <p>{groups.join(', ')}</p>
        <p className={styles.small}>{[jobName, reference].filter(Boolean).join(' · ')}</p>
        <p className={styles.letters}>{code}</p>
      </div>
      {opens && <img className={styles.qr} src={drawQrCode(opens)} alt={`QR code that opens ${opens}`} />}
    </article>
  )
}

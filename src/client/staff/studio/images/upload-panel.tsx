import { useAtomValue } from 'jotai'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import UploadIcon from 'lucide-react/icons/upload'
import X from 'lucide-react/icons/x'
import { type DragEvent, useRef, useState } from 'react'
import { FileInput } from '#client/staff/kit/form/file-input.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { getUploadProgress } from '#contract/studio/uploads.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import { useOnline } from '#platform/online.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './images.module.css'
import { type QueuedFile, type UploadTarget, uploadQueueAtom } from './queued-files.ts'
import { enqueueFiles, pauseUploads, removeUploads, resumeUploads } from './upload-queue.ts'

const matchMethods: readonly { value: MatchMethod | 'hand'; label: string }[] = [
  { value: 'code', label: 'By code' },
  { value: 'fileName', label: 'By file name' },
  { value: 'shooting', label: 'By camera order' },
  { value: 'hand', label: 'Later, by hand' },
]

const matchMethodStorageKey = 'fieldproof-match-by'

const stateLabels: Record<QueuedFile['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  paused: 'Paused',
  checking: 'Being checked',
  done: 'Done',
  refused: 'Rejected',
  failed: 'Failed',
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Maximum number of rows that are rendered. The summary above the rows counts all files. */
const maxRows = 60

const FileRow = ({ file }: { file: QueuedFile }) => {
  const { id, fileName, size, sent, state, reason } = file
  const percentSent = size === 0 ? 0 : Math.round((sent / size) * 100)
  return (
    <li className={styles.line}>
      <span className={styles.fileName}>{fileName}</span>
      <span className={classNames(styles.state, (state === 'refused' || state === 'failed') && styles.failed)}>
        {stateLabels[state]}
        {state === 'sending' && ` ${percentSent} %`}
      </span>
      {state === 'sending' || state === 'paused' ? (
        <progress className={styles.progress} value={sent} max={size} aria-label={`${fileName}, sent`} />
      ) : (
        <span className={styles.reason}>{reason ?? megabytes(size)}</span>
      )}
      <span className={styles.lineActions}>
        {(state === 'sending' || state === 'waiting') && (
          <IconButton size="sm" icon={Pause} label={`Pause ${fileName}`} onClick={() => pauseUploads(id)} />
        )}
        {state === 'paused' && (
          <IconButton size="sm" icon={Play} label={`Resume ${fileName}`} onClick={() => resumeUploads(id)} />
        )}
        {state === 'failed' && (
          <IconButton size="sm" icon={RotateCcw} label={`Try ${fileName} again`} onClick={() => resumeUploads(id)} />
        )}
        {(state === 'refused' || state === 'failed' || state === 'done') && (
          <IconButton
            size="sm"
            icon={X}
            label={`Remove ${fileName} from the list`}
            onClick={() => removeUploads((queued) => queued.id === id)}
          />
        )}
      </span>
    </li>
  )
}

// Sort order: files that need attention first, then those in progress. Finished files have no row.
const statePriority: Record<QueuedFile['state'], number> = {
  refused: 0,
  failed: 1,
  sending: 2,
  paused: 3,
  waiting: 4,
  checking: 5,
  done: 6,
}

const UploadQueue = ({ files }: { files: readonly QueuedFile[] }) => {
  const isOnline = useOnline()
  const countIn = (...states: QueuedFile['state'][]) => files.filter(({ state }) => states.includes(state)).length
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  const sentBytes = files.reduce((sum, file) => sum + (file.state === 'refused' ? file.size : file.sent), 0)
  const activeCount = countIn('sending', 'waiting')
  const rows = files
    .filter(({ state }) => state !== 'done')
    .toSorted((left, right) => statePriority[left.state] - statePriority[right.state])
  const doneCount = countIn('done')
  return (
    <section aria-label="Files being uploaded" className={styles.queue}>
      <div className={styles.summary}>
        <p role="status" className="tabular">
          {doneCount} of {files.length} {files.length === 1 ? 'file' : 'files'} done
          {countIn('refused') > 0 && `, ${countIn('refused')} rejected`}
          {!isOnline && '. No connection: they resume when you’re back online'}
        </p>
        <div className={styles.lineActions}>
          {activeCount > 0 && (
            <Button size="sm" variant="secondary" icon={Pause} onClick={() => pauseUploads()}>
              Pause all
            </Button>
          )}
          {countIn('paused', 'failed') > 0 && (
            <Button size="sm" variant="secondary" icon={Play} onClick={() => resumeUploads()}>
              Resume
            </Button>
          )}
          {countIn('done', 'refused') > 0 && (
            <Button
              size="sm"
              variant="quiet"
              onClick={() => removeUploads(({ state }) => state === 'done' || state === 'refused')}
            >
              Clear the list
            </Button>
          )}
        </div>
      </div>
      <progress
        className={styles.progress}
        value={sentBytes}
        max={Math.max(1, totalBytes)}
        aria-label="All files, sent"
      />
      {rows.length > 0 && (
        <ul className={styles.lines} aria-label="Files">
          {rows.slice(0, maxRows).map((file) => (
            <FileRow key={file.id} file={file} />
          ))}
        </ul>
      )}
      {rows.length > maxRows && <p className={styles.reason}>and {rows.length - maxRows} more</p>}
    </section>
  )
}

/** Warns about uploads that were interrupted before this page was loaded. Hidden while this tab has queued files. */
const InterruptedUploads = ({ target, queuedCount }: { target: UploadTarget; queuedCount: number }) => {
  const { data } = useStaffQuery(getUploadProgress, {
    params: target,
    refetchIntervalMs: queuedCount > 0 ? 5000 : undefined,
  })
  if (!data || queuedCount > 0) return null
  const { receiving, abandoned } = data
  return (
    <>
      {receiving > 0 && (
        <Notice tone="attention" title={`${receiving} ${receiving === 1 ? 'file' : 'files'} arrived incomplete`}>
          Choose the same files again: each resumes where it stopped, and none is added twice.
        </Notice>
      )}
      {abandoned > 0 && (
        <Notice tone="attention" title={`${abandoned} ${abandoned === 1 ? 'file' : 'files'} could not be processed`}>
          The rest was not sent within a week, or it could not be read. Choose the same files again.
        </Notice>
      )}
    </>
  )
}

type UploadPanelProps = {
  studioId: number
  jobId: number
  /** Owner of the uploaded images, if the screen shows a single subject or group. */
  owner?: { subjectId: number } | { groupId: number }
}

/**
 * Uploads images from a file picker or by drag and drop, and shows the progress of each file. Uploads continue while
 * staff use other screens in this tab. They resume when the connection is restored.
 */
export const UploadPanel = ({ studioId, jobId, owner }: UploadPanelProps) => {
  const fileInput = useRef<HTMLInputElement>(null)
  const [matchBy, setMatchBy] = useState(
    () => matchMethods.find(({ value }) => value === localStorage.getItem(matchMethodStorageKey))?.value ?? 'code',
  )
  const [isDraggingOver, setDraggingOver] = useState(false)
  const files = useAtomValue(uploadQueueAtom).filter(
    ({ target }) => target.studioId === studioId && target.jobId === jobId,
  )
  const target: UploadTarget = { studioId, jobId, ...(owner ?? { matchBy: matchBy === 'hand' ? null : matchBy }) }
  const addFiles = (selected: Iterable<File>) => void enqueueFiles([...selected], target)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setDraggingOver(false)
    addFiles(event.dataTransfer.files)
  }
  return (
    <section className={styles.upload} aria-label="Upload images">
      <InterruptedUploads target={{ studioId, jobId }} queuedCount={files.length} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: drag and drop is optional; the button does the same */}
      <div
        className={classNames(styles.dropZone, isDraggingOver && styles.draggingOver)}
        onDragOver={(event) => {
          event.preventDefault()
          setDraggingOver(true)
        }}
        onDragLeave={() => setDraggingOver(false)}
        onDrop={handleDrop}
      >
        {!owner && (
          <Field label="Match images" className={styles.matchMethod}>
            <Select
              value={matchBy}
              options={matchMethods}
              onValue={(value) => {
                localStorage.setItem(matchMethodStorageKey, value)
                setMatchBy(matchMethods.find((method) => method.value === value)?.value ?? 'code')
              }}
            />
          </Field>
        )}
        <Button icon={UploadIcon} onClick={() => fileInput.current?.click()}>
          Choose images
        </Button>
        <p className={styles.hint}>or drop them here. JPEG, PNG and WebP, up to 100 MB each.</p>
        <FileInput
          ref={fileInput}
          label="Images to upload"
          accept="image/jpeg,image/png,image/webp"
          multiple
          onFiles={addFiles}
        />
      </div>
      {files.length > 0 && <UploadQueue files={files} />}
    </section>
  )
}

import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import UploadIcon from 'lucide-react/icons/upload'
import X from 'lucide-react/icons/x'
import { type DragEvent, useRef, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { getUploadProgress } from '#contract/studio/uploads.ts'
import type { MatchMethod } from '#domain/subjects/match-images.ts'
import { useOnline } from '#platform/online.ts'
import { useSignal } from '#platform/signal.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from './images.module.css'
import {
  enqueueFiles,
  pauseUploads,
  type QueuedFile,
  removeUploads,
  resumeUploads,
  type UploadTarget,
  uploadQueue,
} from './upload-queue.ts'

const matchMethods: readonly { value: MatchMethod | 'hand'; label: string }[] = [
  { value: 'code', label: 'By code' },
  { value: 'fileName', label: 'By file name' },
  { value: 'shooting', label: 'By order of shooting' },
  { value: 'hand', label: 'By hand, later' },
]

const matchMethodKey = 'fieldproof-match-by'

const stateLabels: Record<QueuedFile['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  paused: 'Paused',
  checking: 'Being checked',
  done: 'Done',
  refused: 'Not taken',
  failed: 'Did not work',
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Maximum number of rows that are rendered; the heading shows the total. */
const maxLines = 60

const Line = ({ file }: { file: QueuedFile }) => {
  const { id, fileName, size, sent, state, reason } = file
  const share = size === 0 ? 0 : Math.round((sent / size) * 100)
  return (
    <li className={styles.line}>
      <span className={styles.fileName}>{fileName}</span>
      <span className={classNames(styles.state, (state === 'refused' || state === 'failed') && styles.amiss)}>
        {stateLabels[state]}
        {state === 'sending' && ` ${share} %`}
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
          <IconButton size="sm" icon={Play} label={`Go on with ${fileName}`} onClick={() => resumeUploads(id)} />
        )}
        {state === 'failed' && (
          <IconButton size="sm" icon={RotateCcw} label={`Try ${fileName} again`} onClick={() => resumeUploads(id)} />
        )}
        {(state === 'refused' || state === 'failed' || state === 'done') && (
          <IconButton
            size="sm"
            icon={X}
            label={`Take ${fileName} off the list`}
            onClick={() => removeUploads((one) => one.id === id)}
          />
        )}
      </span>
    </li>
  )
}

// Sort order: files that need attention first, then those in progress. Finished files have no row.
const rank: Record<QueuedFile['state'], number> = {
  refused: 0,
  failed: 1,
  sending: 2,
  paused: 3,
  waiting: 4,
  checking: 5,
  done: 6,
}

const Queue = ({ files }: { files: readonly QueuedFile[] }) => {
  const isOnline = useOnline()
  const count = (...states: QueuedFile['state'][]) => files.filter(({ state }) => states.includes(state)).length
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const sent = files.reduce((sum, file) => sum + (file.state === 'refused' ? file.size : file.sent), 0)
  const moving = count('sending', 'waiting')
  const lines = files
    .filter(({ state }) => state !== 'done')
    .toSorted((one, other) => rank[one.state] - rank[other.state])
  const there = count('done')
  return (
    <section aria-label="Files on their way" className={styles.queue}>
      <div className={styles.summary}>
        <p role="status" className="tabular">
          {there} of {files.length} {files.length === 1 ? 'file' : 'files'} done
          {count('refused') > 0 && `, ${count('refused')} not taken`}
          {!isOnline && '. No connection: they go on by themselves when it is back'}
        </p>
        <div className={styles.lineActions}>
          {moving > 0 && (
            <Button size="sm" variant="secondary" icon={Pause} onClick={() => pauseUploads()}>
              Pause all
            </Button>
          )}
          {count('paused', 'failed') > 0 && (
            <Button size="sm" variant="secondary" icon={Play} onClick={() => resumeUploads()}>
              Go on
            </Button>
          )}
          {count('done', 'refused') > 0 && (
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
      <progress className={styles.progress} value={sent} max={Math.max(1, total)} aria-label="All files, sent" />
      {lines.length > 0 && (
        <ul className={styles.lines} aria-label="Files">
          {lines.slice(0, maxLines).map((file) => (
            <Line key={file.id} file={file} />
          ))}
        </ul>
      )}
      {lines.length > maxLines && <p className={styles.reason}>and {lines.length - maxLines} more</p>}
    </section>
  )
}

/** Uploads that an earlier page began and did not finish. */
const InterruptedUploads = ({ target, mine }: { target: UploadTarget; mine: number }) => {
  const { data } = useStaffQuery(getUploadProgress, { params: target, refetchIntervalMs: mine > 0 ? 5000 : undefined })
  if (!data || mine > 0) return null
  const { receiving, abandoned } = data
  return (
    <>
      {receiving > 0 && (
        <Notice tone="attention" title={`${receiving} ${receiving === 1 ? 'file' : 'files'} did not arrive whole`}>
          Choose the same files again: each goes on where it stopped, and those that are here already stay one.
        </Notice>
      )}
      {abandoned > 0 && (
        <Notice tone="attention" title={`${abandoned} ${abandoned === 1 ? 'file' : 'files'} did not become a picture`}>
          For a week nobody sent the rest, or no server could look at it. Choose the same files again.
        </Notice>
      )}
    </>
  )
}

type UploadPanelProps = {
  studioId: number
  jobId: number
  /** Owner of the uploaded images, if the screen belongs to a subject or group. */
  owner?: { subjectId: number } | { groupId: number }
}

/**
 * Selects or drops images and shows the progress of each file. Uploads continue while staff use other screens of this tab and resume
 * after an interrupted connection.
 */
export const UploadPanel = ({ studioId, jobId, owner }: UploadPanelProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [matchBy, setMatchBy] = useState(
    () => matchMethods.find(({ value }) => value === localStorage.getItem(matchMethodKey))?.value ?? 'code',
  )
  const [isOver, setOver] = useState(false)
  const files = useSignal(uploadQueue).filter(({ target }) => target.studioId === studioId && target.jobId === jobId)
  const target: UploadTarget = { studioId, jobId, ...(owner ?? { matchBy: matchBy === 'hand' ? null : matchBy }) }
  const addFiles = (chosen: FileList | null) => void enqueueFiles([...(chosen ?? [])], target)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    addFiles(event.dataTransfer.files)
  }
  return (
    <section className={styles.upload} aria-label="Upload pictures">
      <InterruptedUploads target={{ studioId, jobId }} mine={files.length} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; everyone can use the button */}
      <div
        className={classNames(styles.drop, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {!owner && (
          <Field label="Find whose they are" className={styles.way}>
            <Select
              value={matchBy}
              options={matchMethods}
              onValue={(value) => {
                localStorage.setItem(matchMethodKey, value)
                setMatchBy(matchMethods.find((one) => one.value === value)?.value ?? 'code')
              }}
            />
          </Field>
        )}
        <Button icon={UploadIcon} onClick={() => input.current?.click()}>
          Choose pictures
        </Button>
        <p className={styles.hint}>or drop them here. JPEG, PNG and WebP, up to 100 MB each.</p>
        <input
          ref={input}
          type="file"
          multiple
          accept="image/jpeg,image/png,image/webp"
          className={styles.input}
          aria-label="Pictures to upload"
          tabIndex={-1}
          onChange={(event) => {
            addFiles(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </div>
      {files.length > 0 && <Queue files={files} />}
    </section>
  )
}

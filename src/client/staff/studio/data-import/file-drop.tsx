import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, useState } from 'react'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { Icon } from '#ui/icon.tsx'
import styles from './data-import.module.css'

type FileDropProps = { busy: boolean; onFile: (file: File) => void }

/** Accepts a dropped file, or one chosen from the device. */
export const FileDrop = ({ busy, onFile }: FileDropProps) => {
  const [isOver, setOver] = useState(false)
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
  }
  const onFiles = (files: FileList | null) => {
    const file = files?.[0]
    if (file && !busy) onFile(file)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    onFiles(event.dataTransfer.files)
  }
  return (
    // The file input serves keyboards and screen readers; dropping is an addition.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <label className={styles.choose} aria-busy={busy || undefined}>
        <span className={styles.dropSign}>{busy ? <Spinner /> : <Icon of={FileUp} size="1em" />}</span>
        <strong>{busy ? 'Reading the list…' : 'Choose a list, or drop it here'}</strong>
        <span className={styles.soft}>
          CSV or Excel (.xlsx), up to 20 MB. Nothing is imported before you have seen it.
        </span>
        <input
          type="file"
          className={styles.file}
          accept=".csv,.tsv,.txt,.xlsx,.xls,text/csv"
          disabled={busy}
          onChange={(event) => {
            onFiles(event.currentTarget.files)
            // Choosing the same file a second time must fire `change`.
            event.currentTarget.value = ''
          }}
        />
      </label>
    </div>
  )
}

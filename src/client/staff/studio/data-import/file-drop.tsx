import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, useState } from 'react'
import { Spinner } from '#ui/feedback/loader.tsx'
import { Icon } from '#ui/icon.tsx'
import styles from './data-import.module.css'

type FileDropProps = { busy: boolean; onFile: (file: File) => void }

/** Accepts a dropped file, or one chosen from the device. */
export const FileDrop = ({ busy, onFile }: FileDropProps) => {
  const [isDraggedOver, setDraggedOver] = useState(false)
  const handleDrag = (isInside: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(isInside)
  }
  const uploadFirst = (files: FileList | null) => {
    const file = files?.[0]
    if (file && !busy) onFile(file)
  }
  const handleDrop = (event: DragEvent) => {
    handleDrag(false)(event)
    uploadFirst(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the file input does the same
    <div
      className={styles.drop}
      data-over={isDraggedOver || undefined}
      onDragEnter={handleDrag(true)}
      onDragOver={handleDrag(true)}
      onDragLeave={handleDrag(false)}
      onDrop={handleDrop}
    >
      <label className={styles.choose} aria-busy={busy || undefined}>
        <span className={styles.dropIcon}>{busy ? <Spinner /> : <Icon of={FileUp} size="1em" />}</span>
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
            uploadFirst(event.currentTarget.files)
            // Reset, so that choosing the same file a second time fires `change`.
            event.currentTarget.value = ''
          }}
        />
      </label>
    </div>
  )
}

import type { RefObject } from 'react'

type FileInputProps = {
  ref: RefObject<HTMLInputElement | null>
  /** Its accessible name. */
  label: string
  /** The media types that can be chosen. */
  accept: string
  multiple?: boolean
  /** Called with at least one file. */
  onFiles: (files: readonly [File, ...File[]]) => void
}

/** A file input that is not shown: a button opens it by `ref.current.click()`. The same file can be chosen again. */
export const FileInput = ({ ref, label, accept, multiple = false, onFiles }: FileInputProps) => (
  <input
    ref={ref}
    type="file"
    hidden
    accept={accept}
    multiple={multiple}
    aria-label={label}
    onChange={({ currentTarget }) => {
      const [file, ...otherFiles] = currentTarget.files ?? []
      // Without this, choosing the same file a second time would not fire `change`.
      currentTarget.value = ''
      if (file) onFiles([file, ...otherFiles])
    }}
  />
)

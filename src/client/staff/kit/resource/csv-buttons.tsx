import Upload from 'lucide-react/icons/upload'
import { useRef } from 'react'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { DownloadButton } from '../download/download-button.tsx'
import { downloadFile } from '../download/download-file.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'

type CsvButtonsProps = {
  /** The calls that write the records to a CSV and create and change records by one. */
  calls: { exportFile: AnyCall; importFile: AnyCall }
}

/** Buttons to download the records of a list as a CSV, and to upload a changed one. Errors are shown as a toast. */
export const CsvButtons = ({ calls: { exportFile, importFile } }: CsvButtonsProps) => {
  const input = useRef<HTMLInputElement>(null)
  const upload = useStaffMutation(importFile)
  const send = async (file: File | undefined) => {
    if (!file) return
    const answer = await upload.mutate({ body: { csv: await file.text() } })
    if (!answer.ok) return
    const { created, changed, unchanged } = answer.data
    toast(`${created} added, ${changed} changed, ${unchanged} as before`, 'success')
  }
  return (
    <>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-label="CSV file to import"
          accept=".csv,text/csv"
          onChange={({ currentTarget }) => {
            void send(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
      </VisuallyHidden>
      <Button variant="secondary" icon={Upload} loading={upload.busy} onClick={() => input.current?.click()}>
        Import CSV
      </Button>
      <DownloadButton onDownload={() => downloadFile(exportFile, { params: {}, body: {} })}>Export CSV</DownloadButton>
    </>
  )
}

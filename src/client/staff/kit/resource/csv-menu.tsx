import { useRef } from 'react'
import type { AnyCall } from '#contract/shapes/call.ts'
import { Menu } from '#ui/popover/menu.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { downloadFile } from '../download/download-file.ts'
import { FileInput } from '../form/file-input.tsx'
import { useStaffMutation } from '../query/use-staff-mutation.ts'

type CsvMenuProps = {
  /** The calls that write the records to a CSV and create and change records by one. */
  calls: { exportFile: AnyCall; importFile: AnyCall }
}

/** A menu to download the records of a list as a CSV, and to upload a changed one. Errors are shown as a toast. */
export const CsvMenu = ({ calls: { exportFile, importFile } }: CsvMenuProps) => {
  const input = useRef<HTMLInputElement>(null)
  const upload = useStaffMutation(importFile)
  const send = async (file: File) => {
    const answer = await upload.mutate({ body: { csv: await file.text() } })
    if (!answer.ok) return
    const { created, changed, unchanged } = answer.data
    toast(`${created} added, ${changed} changed, ${unchanged} as before`, 'success')
  }
  const save = async () => {
    const errors = await downloadFile(exportFile, { params: {}, body: {} })
    if (errors) toastError(errors)
  }
  return (
    <>
      <FileInput ref={input} label="CSV file to import" accept=".csv,text/csv" onFiles={([file]) => void send(file)} />
      <Menu
        label="CSV"
        variant="secondary"
        align="end"
        items={[
          { label: 'Import CSV', disabled: upload.busy, onSelect: () => input.current?.click() },
          { label: 'Export CSV', onSelect: () => void save() },
        ]}
      />
    </>
  )
}

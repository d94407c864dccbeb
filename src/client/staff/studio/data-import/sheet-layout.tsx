import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type ImportDetails, patchImport } from '#contract/studio/imports.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './data-import.module.css'

type SheetLayoutProps = { job: JobParams; details: ImportDetails; refetch: () => void }

/** Selects the sheet and the row that holds the headings. */
export const SheetLayout = ({ details, job, refetch }: SheetLayoutProps) => {
  const patch = useStaffMutation(patchImport)
  const [typedRow, setTypedRow] = useState(String(details.headerRow))
  const { id, version, sheets, sheet, headerRow } = details
  const { studioId, jobId } = job
  const change = async (changes: { sheet?: string; headerRow?: number }): Promise<void> => {
    const answer = await patch.mutate({ params: { studioId, jobId, importId: id }, body: { version, ...changes } })
    if (answer.ok) setTypedRow(String(answer.data.headerRow))
    else if (answer.problem === 'conflict') refetch()
  }
  const requestedRow = /^\d{1,7}$/.test(typedRow.trim()) ? Number(typedRow) : null
  return (
    <div className={styles.layout}>
      {sheets.length > 1 && (
        <Field label="Sheet">
          <Select
            options={sheets.map((name) => ({ value: name, label: name }))}
            value={sheet ?? ''}
            disabled={patch.busy}
            onValue={(name) => void change({ sheet: name })}
          />
        </Field>
      )}
      <Field label="Header row" hint="0 if there is none">
        <TextInput inputMode="numeric" value={typedRow} onValue={setTypedRow} className={styles.headerRow} />
      </Field>
      <Button
        variant="secondary"
        loading={patch.busy}
        disabled={requestedRow === null || requestedRow === headerRow}
        onClick={() => requestedRow !== null && void change({ headerRow: requestedRow })}
      >
        Re-read
      </Button>
    </div>
  )
}

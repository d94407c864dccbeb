import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type Import, listImports, maxImportBytes, uploadImport } from '#contract/studio/imports.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from './data-import.module.css'
import { FileDrop } from './file-drop.tsx'
import { formatImportTime, importStateLabels, importSummary } from './import-labels.ts'

const tooLargeMessage = 'This file is larger than 20 MB. Send only the sheet with the list'

const useImportUpload = (job: JobParams) => {
  const uploadCall = useStaffMutation(uploadImport)
  const [, navigate] = useLocation()
  const [failedUpload, setFailedUpload] = useState<{ file: File; errors: readonly string[] } | null>(null)
  const upload = async (file: File): Promise<void> => {
    if (file.size > maxImportBytes) return setFailedUpload({ file, errors: [tooLargeMessage] })
    setFailedUpload(null)
    const form = new FormData()
    form.set('File', file)
    const { studioId, jobId } = job
    const answer = await uploadCall.mutate({ params: { studioId, jobId }, form }, { onError: 'silent' })
    if (answer.ok) navigate(staffUrls.job(job, `data-import/${answer.data.id}`))
    else setFailedUpload({ file, errors: answer.errors })
  }
  return { upload, busy: uploadCall.busy, failedUpload }
}

const isInProgress = ({ state }: Import): boolean => state === 'running' || state === 'undoing'

const columnsFor = (job: JobParams, timeZone: string): readonly Column<Import>[] => [
  {
    id: 'file',
    header: 'List',
    sort: 'name',
    cell: ({ id, fileName }) => <Link href={staffUrls.job(job, `data-import/${id}`)}>{fileName}</Link>,
  },
  { id: 'state', header: 'State', cell: ({ state }) => importStateLabels[state] },
  {
    id: 'people',
    header: 'People',
    cell: (row) => <span className={styles.summary}>{importSummary(row) || '–'}</span>,
  },
  { id: 'by', header: 'Sent by', cell: ({ madeBy }) => madeBy ?? '–' },
  { id: 'at', header: 'Sent', sort: 'created', cell: ({ createdAt }) => formatImportTime(timeZone, createdAt) },
]

/** Uploads a list of subjects, and shows the earlier imports. */
export const ImportsScreen = ({ job }: { job: JobParams }) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const list = useList()
  const { upload, busy, failedUpload } = useImportUpload(job)
  const query = useStaffQuery(listImports, {
    params: { studioId, jobId },
    query: list.query,
    refetchIntervalMs: (imports) => (imports && toPage(imports).resultItems.some(isInProgress) ? 2000 : undefined),
  })
  return (
    <StaffScreen
      title="Data import"
      lead="Upload the list from the school or club. We recognize its columns and show a preview first."
    >
      <FileDrop busy={busy} onFile={(file) => void upload(file)} />
      <div role="alert">
        {failedUpload && (
          <Notice
            tone="attention"
            title={`${failedUpload.file.name} was not accepted`}
            action={
              <Button variant="secondary" loading={busy} onClick={() => void upload(failedUpload.file)}>
                Try again
              </Button>
            }
          >
            {failedUpload.errors.map((error) => (
              <p key={error}>{error}</p>
            ))}
          </Notice>
        )}
      </div>
      <section className={styles.section} aria-labelledby="imports-before">
        <h2 id="imports-before">Earlier lists</h2>
        <ListScreen
          label="Imports"
          searchPlaceholder="File name"
          list={list}
          query={query}
          columns={columnsFor(job, timeZone)}
          idOf={({ id }) => String(id)}
          nameOf={({ fileName }) => fileName}
          empty={
            <EmptyState icon={FileSpreadsheet} title="No lists yet">
              <p>Lists you upload appear here, to continue or undo.</p>
            </EmptyState>
          }
        />
      </section>
    </StaffScreen>
  )
}

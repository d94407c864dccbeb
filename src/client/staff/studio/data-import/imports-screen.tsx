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

const tooLarge = 'This file is larger than 20 MB. Send only the sheet with the list'

const useImportUpload = (job: JobParams) => {
  const send = useStaffMutation(uploadImport)
  const [, navigate] = useLocation()
  const [unsent, setUnsent] = useState<{ file: File; errors: readonly string[] } | null>(null)
  const upload = async (file: File): Promise<void> => {
    if (file.size > maxImportBytes) return setUnsent({ file, errors: [tooLarge] })
    setUnsent(null)
    const form = new FormData()
    form.set('File', file)
    const { studioId, jobId } = job
    const answer = await send.mutate({ params: { studioId, jobId }, form }, { onError: 'silent' })
    if (answer.ok) navigate(staffUrls.job(job, `data-import/${answer.data.id}`))
    else setUnsent({ file, errors: answer.errors })
  }
  return { take: upload, busy: send.busy, unsent }
}

const isMoving = ({ state }: Import): boolean => state === 'running' || state === 'undoing'

const columnsFor = (job: JobParams, timeZone: string): readonly Column<Import>[] => [
  {
    id: 'file',
    header: 'List',
    sort: 'name',
    cell: ({ id, fileName }) => <Link href={staffUrls.job(job, `data-import/${id}`)}>{fileName}</Link>,
  },
  { id: 'state', header: 'State', cell: ({ state }) => importStateLabels[state] },
  { id: 'people', header: 'People', cell: (one) => <span className={styles.sum}>{importSummary(one) || '–'}</span> },
  { id: 'by', header: 'Sent by', cell: ({ madeBy }) => madeBy ?? '–' },
  { id: 'at', header: 'Sent', sort: 'created', cell: ({ createdAt }) => formatImportTime(timeZone, createdAt) },
]

/** Uploads a list and shows the earlier imports. */
export const ImportsScreen = ({ job }: { job: JobParams }) => {
  const { studioId, jobId } = job
  const { timeZone } = useStudio()
  const list = useList()
  const { take: upload, busy, unsent } = useImportUpload(job)
  const [everyMs, setEveryMs] = useState<number | undefined>()
  const query = useStaffQuery(listImports, {
    params: { studioId, jobId },
    query: list.query,
    refetchIntervalMs: everyMs,
  })
  const pollingMs = query.data && toPage(query.data).resultItems.some(isMoving) ? 2000 : undefined
  if (pollingMs !== everyMs) setEveryMs(pollingMs)
  return (
    <StaffScreen
      title="Data import"
      lead="A list of people as the school or the club sends it: its columns are recognised, and you see what will happen before it does."
    >
      <FileDrop busy={busy} onFile={(file) => void upload(file)} />
      <div role="alert">
        {unsent && (
          <Notice
            tone="attention"
            title={`${unsent.file.name} was not taken`}
            action={
              <Button variant="secondary" loading={busy} onClick={() => void upload(unsent.file)}>
                Try again
              </Button>
            }
          >
            {unsent.errors.map((error) => (
              <p key={error}>{error}</p>
            ))}
          </Notice>
        )}
      </div>
      <section className={styles.part} aria-labelledby="imports-before">
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
              <p>Lists you upload appear here: open one again, go on with it, or undo it.</p>
            </EmptyState>
          }
        />
      </section>
    </StaffScreen>
  )
}

import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import ListPlus from 'lucide-react/icons/list-plus'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useSidePanel } from '#client/staff/kit/list/use-side-panel.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { groupsUrl, type JobParams, staffUrls, subjectUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { type Group, groups as groupCalls } from '#contract/studio/groups.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { NewSubjectDialog } from './new-subject-dialog.tsx'
import { PasteSubjectsDialog } from './paste-subjects-dialog.tsx'
import { SubjectBulkActions } from './subject-bulk-actions.tsx'
import { subjectColumns } from './subject-columns.tsx'
import { SubjectFilters } from './subject-filters.tsx'
import { SubjectPanel } from './subject-panel.tsx'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { useSubjectBulkEdits } from './use-subject-bulk-edits.ts'
import { useSubjectList } from './use-subject-list.ts'

type DialogName = 'new' | 'paste'

const NoSubjects = ({ job, onOpen }: { job: JobParams; onOpen: (dialog: DialogName) => void }) => {
  const { features } = useStudio()
  return (
    <EmptyState
      title="No one here yet"
      action={
        <div className={styles.buttons}>
          <Button icon={Plus} onClick={() => onOpen('new')}>
            New subject
          </Button>
          <Button variant="secondary" icon={ListPlus} onClick={() => onOpen('paste')}>
            Paste names
          </Button>
          {features.has('dataImport') && (
            <ButtonLink variant="secondary" icon={FileSpreadsheet} href={staffUrls.job(job, 'data-import')}>
              Import a list
            </ButtonLink>
          )}
        </div>
      }
    >
      <p>The people of this job appear here, with their groups, codes and images.</p>
    </EmptyState>
  )
}

const ScreenActions = ({ job, onOpen }: { job: JobParams; onOpen: (dialog: DialogName) => void }) => (
  <>
    <ButtonLink variant="quiet" href={groupsUrl(job)}>
      Groups
    </ButtonLink>
    <Button variant="secondary" icon={ListPlus} onClick={() => onOpen('paste')}>
      Paste names
    </Button>
    <Button icon={Plus} onClick={() => onOpen('new')}>
      New subject
    </Button>
  </>
)

type AddSubjectsProps = { job: JobParams; groups: readonly Group[]; openDialog: DialogName | null; onClose: () => void }

const AddSubjectsDialog = ({ job, groups, openDialog, onClose }: AddSubjectsProps) => {
  const [, navigate] = useLocation()
  if (openDialog === 'paste') return <PasteSubjectsDialog job={job} onClose={onClose} />
  return (
    openDialog === 'new' && (
      <NewSubjectDialog
        job={job}
        groupNames={groups.map(({ name }) => name)}
        onClose={onClose}
        onCreated={({ id }) => navigate(subjectUrl(job, id))}
      />
    )
  )
}

/** The subjects of a job: a searchable list with bulk actions and a side panel. */
export const SubjectsScreen = (job: JobParams) => {
  const params = { studioId: job.studioId, jobId: job.jobId }
  const { list, result, rows, selection, selectedSubjects } = useSubjectList(job)
  const groups = toPage(useStaffQuery(groupCalls.list, { params }).data ?? []).resultItems
  const edits = useSubjectBulkEdits(job)
  const sidePanel = useSidePanel(/^\d{1,15}$/)
  const [openDialog, setOpenDialog] = useState<DialogName | null>(null)
  useShortcuts(useMemo(() => [{ key: 'n', description: 'New subject', run: () => setOpenDialog('new') }], []))
  return (
    <StaffScreen title="Subjects" actions={<ScreenActions job={job} onOpen={setOpenDialog} />}>
      <UndoNotice edits={edits} />
      <ListScreen
        label="Subjects"
        searchPlaceholder="Name, reference, group, code or field"
        list={list}
        query={result}
        columns={subjectColumns({
          urlOf: (id) => subjectUrl(job, id),
          openInPanel: (id) => sidePanel.open(String(id)),
        })}
        idOf={({ id }) => String(id)}
        nameOf={subjectDisplayName}
        filters={<SubjectFilters list={list} groups={groups} />}
        selection={selection}
        bulkActions={
          <SubjectBulkActions
            job={params}
            selectedSubjects={selectedSubjects}
            edits={edits}
            groups={groups}
            fieldNames={[...new Set(rows.flatMap(({ fields }) => fields.map(({ name }) => name)))]}
            deletable={selection.isAll ? null : selection.subjects}
            onDeleted={() => selection.change(new Set())}
          />
        }
        openId={sidePanel.openId ?? undefined}
        sidePanel={
          sidePanel.openId !== null && (
            <SubjectPanel
              key={sidePanel.openId}
              job={job}
              subjectId={Number(sidePanel.openId)}
              edits={edits}
              onClose={sidePanel.close}
            />
          )
        }
        empty={<NoSubjects job={job} onOpen={setOpenDialog} />}
      />
      <AddSubjectsDialog job={job} groups={groups} openDialog={openDialog} onClose={() => setOpenDialog(null)} />
    </StaffScreen>
  )
}

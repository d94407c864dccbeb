import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import ListPlus from 'lucide-react/icons/list-plus'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import { listSubjects, type SelectedSubjects } from '#contract/studio/subjects.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { NewSubjectDialog } from './new-subject-dialog.tsx'
import { PasteSubjectsDialog } from './paste-subjects-dialog.tsx'
import { SubjectBulkActions } from './subject-bulk-actions.tsx'
import { subjectColumns } from './subject-columns.tsx'
import { SubjectFilters, subjectFilterNames } from './subject-filters.tsx'
import { subjectDisplayName } from './subject-format.ts'
import { subjectListQuery } from './subject-list-query.ts'
import { SubjectPanel } from './subject-panel.tsx'
import { groupsUrl, subjectUrl } from './subject-urls.ts'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { useOpenSubject } from './use-open-subject.ts'
import { useSubjectBulkEdits } from './use-subject-bulk-edits.ts'
import { useSubjectSelection } from './use-subject-selection.ts'

type OpenDialog = 'new' | 'paste' | null

const NoSubjects = ({ job, onOpen }: { job: JobParams; onOpen: (dialog: OpenDialog) => void }) => {
  const { features } = useStudio()
  return (
    <EmptyState
      title="Nobody is here yet"
      action={
        <div className={styles.buttons}>
          <Button icon={Plus} onClick={() => onOpen('new')}>
            New subject
          </Button>
          <Button variant="secondary" icon={ListPlus} onClick={() => onOpen('paste')}>
            Paste a list
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

/** A job's subjects: search while typing, bulk actions, and a side panel. */
export const SubjectsScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const list = useList(subjectFilterNames)
  const query = subjectListQuery(list)
  const result = useStaffQuery(listSubjects, { params, query })
  const page = result.data && toPage(result.data)
  const rows = page?.resultItems ?? []
  const groups = toPage(useStaffQuery(groupCalls.list, { params }).data ?? []).resultItems
  const edits = useSubjectBulkEdits(job)
  const sidePanel = useOpenSubject()
  const [opened, setOpened] = useState<OpenDialog>(null)
  const [, navigate] = useLocation()
  const { currentPage: _, pageSize: __, sort: ___, ...matching } = query
  const selection = useSubjectSelection(rows, JSON.stringify(matching))
  const total = page?.totalRecords ?? 0
  const selected: SelectedSubjects = selection.isAll ? { matching } : { ids: [...selection.ids].map(Number) }

  const keys = useMemo(() => [{ key: 'n', description: 'New subject', run: () => setOpened('new') }], [])
  useShortcuts(keys)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links do not depend on the render
  const columns = useMemo(
    () => subjectColumns({ urlOf: (id) => subjectUrl(job, id), openInPanel: sidePanel.open }),
    [studioId, jobId],
  )
  const fieldNames = [...new Set(rows.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  const selectAll = total > selection.ids.size && !selection.isAll && (
    <Button variant="quiet" size="sm" onClick={selection.selectAll}>
      Select all {total.toLocaleString('en-US')}
    </Button>
  )
  return (
    <StaffScreen
      title="Subjects"
      actions={
        <>
          <ButtonLink variant="quiet" href={groupsUrl(job)}>
            Groups
          </ButtonLink>
          <Button variant="secondary" icon={ListPlus} onClick={() => setOpened('paste')}>
            Paste a list
          </Button>
          <Button icon={Plus} onClick={() => setOpened('new')}>
            New subject
          </Button>
        </>
      }
    >
      <UndoNotice edits={edits} />
      <ListScreen
        label="Subjects"
        searchPlaceholder="Name, reference, group, code or field"
        list={list}
        query={result}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={subjectDisplayName}
        filters={<SubjectFilters list={list} groups={groups} />}
        selection={{ ids: selection.ids, change: selection.change }}
        selectedCount={selection.isAll ? total : selection.ids.size}
        bulkActions={
          <>
            {selectAll}
            <SubjectBulkActions
              job={params}
              selected={selected}
              edits={edits}
              groups={groups}
              fieldNames={fieldNames}
              erasable={selection.isAll ? null : selection.subjects}
              onErased={() => selection.change(new Set())}
            />
          </>
        }
        openId={sidePanel.openId === null ? undefined : String(sidePanel.openId)}
        sidePanel={
          sidePanel.openId !== null && (
            <SubjectPanel
              key={sidePanel.openId}
              job={job}
              subjectId={sidePanel.openId}
              edits={edits}
              onClose={sidePanel.close}
            />
          )
        }
        empty={<NoSubjects job={job} onOpen={setOpened} />}
      />
      {opened === 'new' && (
        <NewSubjectDialog
          job={job}
          groupNames={groups.map(({ name }) => name)}
          onClose={() => setOpened(null)}
          onMade={({ id }) => navigate(subjectUrl(job, id))}
        />
      )}
      {opened === 'paste' && <PasteSubjectsDialog job={job} onClose={() => setOpened(null)} />}
    </StaffScreen>
  )
}

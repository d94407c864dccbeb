import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import ListPlus from 'lucide-react/icons/list-plus'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import { listSubjects, type SelectedSubjects, type SubjectRow } from '#contract/studio/subjects.ts'
import { toPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { NewSubjectDialog } from './new-subject-dialog.tsx'
import { PasteSubjectsDialog } from './paste-subjects-dialog.tsx'
import { SubjectBulkActions } from './subject-bulk-actions.tsx'
import { subjectColumns } from './subject-columns.tsx'
import { type SubjectFilterName, SubjectFilters, subjectFilterNames } from './subject-filters.tsx'
import { subjectDisplayName } from './subject-format.ts'
import { SubjectPanel } from './subject-panel.tsx'
import { groupsUrl, subjectUrl } from './subject-urls.ts'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { useOpenSubject } from './use-open-subject.ts'
import { useSubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** The list's filters as query parameters of the call. */
const queryOf = (list: ListState<SubjectFilterName>) => {
  const { groupId, ...others } = list.query
  // The address may hold any text; the server rejects unknown values.
  return { ...others, ...(groupId !== undefined && { groupId: parseNumber(groupId) || 0 }) } as Omit<
    typeof others,
    'images' | 'visibility' | 'orders' | 'attendance'
  > & {
    groupId?: number
    images?: 'with' | 'without'
    visibility?: 'shown' | 'hidden'
    orders?: 'ordered' | 'not-ordered'
    attendance?: 'checked-in' | 'not-checked-in' | 'absent'
  }
}

type SubjectSelection = { ids: ReadonlySet<string>; rows: ReadonlyMap<string, SubjectRow> }
const emptySelection: SubjectSelection = { ids: new Set(), rows: new Map() }

/** The selected subjects: single ones across pages, or all that match the filter. */
const useSubjectSelection = (rows: readonly SubjectRow[], key: string) => {
  const [picked, setPicked] = useState<SubjectSelection>(emptySelection)
  const [allUnder, setAllUnder] = useState<string | null>(null)
  const isAll = allUnder === key
  const change = (ids: ReadonlySet<string>) => {
    setAllUnder(null)
    const met = new Map([...picked.rows, ...rows.map((row) => [String(row.id), row] as const)])
    setPicked({ ids, rows: new Map([...met].filter(([id]) => ids.has(id))) })
  }
  const ids = isAll ? new Set(rows.map(({ id }) => String(id))) : picked.ids
  return { ids, people: [...picked.rows.values()], isAll, change, pickAll: () => setAllUnder(key) }
}

type OpenDialog = 'new' | 'paste' | null

/** A job's subjects: search while typing, bulk actions, and a side panel. */
export const SubjectsScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const { features } = useStudio()
  const list = useList(subjectFilterNames)
  const query = queryOf(list)
  const result = useStaffQuery(listSubjects, { params, query })
  const page = result.data && toPage(result.data)
  const rows = page?.resultItems ?? []
  const groups = toPage(useStaffQuery(groupCalls.list, { params }).data ?? []).resultItems
  const edits = useSubjectBulkEdits(job)
  const beside = useOpenSubject()
  const [opened, setOpened] = useState<OpenDialog>(null)
  const [, navigate] = useLocation()
  const { currentPage: _, pageSize: __, sort: ___, ...matching } = query
  const picked = useSubjectSelection(rows, JSON.stringify(matching))
  const total = page?.totalRecords ?? 0
  const whom: SelectedSubjects = picked.isAll ? { matching } : { ids: [...picked.ids].map(Number) }

  const keys = useMemo(() => [{ key: 'n', description: 'New subject', run: () => setOpened('new') }], [])
  useShortcuts(keys)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links do not depend on the render
  const columns = useMemo(
    () => subjectColumns({ urlOf: (id) => subjectUrl(job, id), openBeside: beside.open }),
    [studioId, jobId],
  )
  const fieldNames = [...new Set(rows.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  const selectAll = total > picked.ids.size && !picked.isAll && (
    <Button variant="quiet" size="sm" onClick={picked.pickAll}>
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
        selection={{ ids: picked.ids, change: picked.change }}
        selectedCount={picked.isAll ? total : picked.ids.size}
        bulkActions={
          <>
            {selectAll}
            <SubjectBulkActions
              job={params}
              whom={whom}
              edits={edits}
              groups={groups}
              fieldNames={fieldNames}
              erasable={picked.isAll ? null : picked.people}
              onErased={() => picked.change(new Set())}
            />
          </>
        }
        openId={beside.openId === null ? undefined : String(beside.openId)}
        sidePanel={
          beside.openId !== null && (
            <SubjectPanel
              key={beside.openId}
              job={job}
              subjectId={beside.openId}
              edits={edits}
              onClose={beside.close}
            />
          )
        }
        empty={
          <EmptyState
            title="Nobody is here yet"
            action={
              <div className={styles.buttons}>
                <Button icon={Plus} onClick={() => setOpened('new')}>
                  New subject
                </Button>
                <Button variant="secondary" icon={ListPlus} onClick={() => setOpened('paste')}>
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
        }
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

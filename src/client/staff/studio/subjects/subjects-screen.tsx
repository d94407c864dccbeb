import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import ListPlus from 'lucide-react/icons/list-plus'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useKeys } from '#client/staff/kit/screen/use-shortcuts.ts'
import { groups as groupCalls } from '#contract/studio/groups.ts'
import { listSubjects, type SubjectRow, type Whom } from '#contract/studio/subjects.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { numberOf } from '#domain/shared/validators.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { NewSubjectDialog } from './new-subject-dialog.tsx'
import { PasteDialog } from './paste-subjects-dialog.tsx'
import { BulkBar } from './subject-bulk-actions.tsx'
import { personColumns } from './subject-columns.tsx'
import { type FilterName, filterNames, PersonFilters } from './subject-filters.tsx'
import { nameWords } from './subject-format.ts'
import { PersonBeside } from './subject-panel.tsx'
import { groupsUrl, subjectUrl } from './subject-urls.ts'
import styles from './subjects.module.css'
import { UndoNotice } from './undo-notice.tsx'
import { useOpenBeside } from './use-open-subject.ts'
import { usePeopleEdits } from './use-subject-bulk-edits.ts'

/** The list's own filters as its call takes them. */
const queryOf = (list: ListState<FilterName>) => {
  const { groupId, ...others } = list.query
  // What stands in an address may be anything; the server says so where it is nothing it knows.
  return { ...others, ...(groupId !== undefined && { groupId: numberOf(groupId) || 0 }) } as Omit<
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

type Picked = { ids: ReadonlySet<string>; rows: ReadonlyMap<string, SubjectRow> }
const nobody: Picked = { ids: new Set(), rows: new Map() }

/** Who is selected: some by one, over all pages they were met on, or everybody whom the filter finds. */
const usePicked = (rows: readonly SubjectRow[], key: string) => {
  const [picked, setPicked] = useState<Picked>(nobody)
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

type Opened = 'new' | 'paste' | null

/** A job's people: found while staff type, many of them changed at once, each opened beside the list. */
export const SubjectsScreen = (job: JobPlace) => {
  const { studioId, jobId } = job
  const params = { studioId, jobId }
  const { features } = useStudio()
  const list = useList(filterNames)
  const query = queryOf(list)
  const reading = useAnswer(listSubjects, { params, query })
  const page = reading.data && pageIn(reading.data)
  const rows = page?.resultItems ?? []
  const groups = pageIn(useAnswer(groupCalls.list, { params }).data ?? []).resultItems
  const edits = usePeopleEdits(job)
  const beside = useOpenBeside()
  const [opened, setOpened] = useState<Opened>(null)
  const [, navigate] = useLocation()
  const { currentPage: _, pageSize: __, sort: ___, ...matching } = query
  const picked = usePicked(rows, JSON.stringify(matching))
  const total = page?.totalRecords ?? 0
  const whom: Whom = picked.isAll ? { matching } : { ids: [...picked.ids].map(Number) }

  const keys = useMemo(() => [{ key: 'n', does: 'New subject', run: () => setOpened('new') }], [])
  useKeys(keys)
  // biome-ignore lint/correctness/useExhaustiveDependencies: where a name leads is the same however often the list is drawn
  const columns = useMemo(
    () => personColumns({ urlOf: (id) => subjectUrl(job, id), openBeside: beside.open }),
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
        seek="Name, reference, group, code or field"
        list={list}
        reading={reading}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={nameWords}
        filters={<PersonFilters list={list} groups={groups} />}
        selection={{ ids: picked.ids, change: picked.change }}
        selectedCount={picked.isAll ? total : picked.ids.size}
        bulk={
          <>
            {selectAll}
            <BulkBar
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
        beside={
          beside.openId !== null && (
            <PersonBeside
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
            <p>The people of this job stand here, with their groups, codes and images.</p>
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
      {opened === 'paste' && <PasteDialog job={job} onClose={() => setOpened(null)} />}
    </StaffScreen>
  )
}

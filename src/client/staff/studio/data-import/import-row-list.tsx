import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import {
  type ImportDetails,
  type ImportRow,
  type ImportRowState,
  listImportRows,
  warnedRows,
} from '#contract/studio/imports.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from './data-import.module.css'
import { formatCount, orderedRowStates, rowStateLabels } from './import-labels.ts'

const Warnings = ({ warnings }: Pick<ImportRow, 'warnings'>) => (
  <ul className={styles.changes}>
    {warnings.map((warning) => (
      <li key={warning}>
        <strong>Check: </strong>
        {warning}
      </li>
    ))}
  </ul>
)

const RowChanges = ({ message, changes, state }: ImportRow) => {
  if (message !== null) return message
  if (changes.length === 0) return '–'
  const isNew = state === 'create' || state === 'created'
  return (
    <ul className={styles.changes}>
      {changes
        .filter(({ what }) => !(isNew && (what === 'First name' || what === 'Last name')))
        .map(({ what, from, to }) => (
          <li key={what}>
            <span className={styles.soft}>{what}: </span>
            {from !== '' && (
              <>
                <del>{from}</del> →{' '}
              </>
            )}
            {to === '' ? 'nothing' : to}
          </li>
        ))}
    </ul>
  )
}

const columns: readonly Column<ImportRow>[] = [
  { id: 'name', header: 'Person', sort: 'name', cell: ({ name }) => name || 'No name' },
  { id: 'row', header: 'Row', sort: 'row', isNumber: true, cell: ({ rowNumber }) => rowNumber },
  {
    id: 'state',
    header: 'What happens',
    cell: ({ state }) => (
      <span className={styles.state} data-state={state}>
        {rowStateLabels[state]}
      </span>
    ),
  },
  {
    id: 'what',
    header: 'Why, and what of them',
    cell: (row) => (
      <>
        {row.warnings.length > 0 && <Warnings warnings={row.warnings} />}
        <RowChanges {...row} />
      </>
    ),
  },
]

type RowListProps = { job: JobParams; details: ImportDetails }

/** All rows of a list with their outcome, counted by state and filtered by one state on demand. */
export const ImportRowList = ({ job: { studioId, jobId }, details }: RowListProps) => {
  const list = useList(['state'])
  const query = useStaffQuery(listImportRows, { params: { studioId, jobId, importId: details.id }, query: list.query })
  const chosen = list.chosen.state
  const chip = (state: ImportRowState | typeof warnedRows | undefined, label: string, rows: number) => (
    <button
      key={label}
      type="button"
      className={styles.chip}
      aria-pressed={chosen === state}
      onClick={() => list.choose('state', state)}
    >
      {label} <span className="tabular">{formatCount(rows)}</span>
    </button>
  )
  const states = orderedRowStates.filter((state) => details.counts[state] > 0)
  const all = states.reduce((sum, state) => sum + details.counts[state], 0)
  return (
    <>
      <fieldset className={styles.chips}>
        <legend className={styles.unseen}>Show rows</legend>
        {chip(undefined, 'All', all)}
        {details.warned > 0 && chip(warnedRows, 'To check', details.warned)}
        {states.map((state) => chip(state, rowStateLabels[state], details.counts[state]))}
      </fieldset>
      <ListScreen
        label="Rows"
        searchPlaceholder="Name, student id or reason"
        list={list}
        query={query}
        columns={columns}
        idOf={({ rowNumber }) => String(rowNumber)}
        nameOf={({ name }) => name}
        empty={<EmptyState title="No rows">This list has no rows any more.</EmptyState>}
      />
    </>
  )
}

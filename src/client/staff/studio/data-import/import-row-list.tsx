import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
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
import { orderedRowStates, rowStateLabels } from './import-labels.ts'

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
    header: 'Reason and details',
    cell: (row) => (
      <>
        {row.warnings.length > 0 && <Warnings warnings={row.warnings} />}
        <RowChanges {...row} />
      </>
    ),
  },
]

type RowListProps = { job: JobParams; details: ImportDetails }

/** The rows of an import with their outcome. Buttons show the number of rows per state, and filter by it. */
export const ImportRowList = ({ job: { studioId, jobId }, details }: RowListProps) => {
  const list = useList(['state'])
  const query = useStaffQuery(listImportRows, { params: { studioId, jobId, importId: details.id }, query: list.query })
  const selectedState = list.filters.state
  const filterChip = (state: ImportRowState | typeof warnedRows | undefined, label: string, count: number) => (
    <button
      key={label}
      type="button"
      className={styles.chip}
      aria-pressed={selectedState === state}
      onClick={() => list.chooseFilter('state', state)}
    >
      {label} <span className="tabular">{formatCount(count)}</span>
    </button>
  )
  const states = orderedRowStates.filter((state) => details.counts[state] > 0)
  const totalCount = states.reduce((sum, state) => sum + details.counts[state], 0)
  return (
    <>
      <fieldset className={styles.chips}>
        <legend className={styles.visuallyHidden}>Show rows</legend>
        {filterChip(undefined, 'All', totalCount)}
        {details.warned > 0 && filterChip(warnedRows, 'To check', details.warned)}
        {states.map((state) => filterChip(state, rowStateLabels[state], details.counts[state]))}
      </fieldset>
      <ListScreen
        label="Rows"
        searchPlaceholder="Name, student id or reason"
        list={list}
        query={query}
        columns={columns}
        idOf={({ rowNumber }) => String(rowNumber)}
        nameOf={({ name }) => name}
        empty={<EmptyState title="No rows">This list no longer has any rows.</EmptyState>}
      />
    </>
  )
}

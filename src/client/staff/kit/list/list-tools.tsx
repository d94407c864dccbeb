import Columns from 'lucide-react/icons/columns-3'
import FilterIcon from 'lucide-react/icons/list-filter'
import Search from 'lucide-react/icons/search'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import phoneIcon from '#ui/button/phone-icon.module.css'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Icon } from '#ui/icon.tsx'
import { useIsPhone } from '#ui/rendering/use-media-query.ts'
import { type Column, columnsOnScreen } from '#ui/table/data-table.tsx'
import { InFilterDialog } from './list-filter.tsx'
import styles from './list-screen.module.css'
import type { HiddenColumns } from './use-hidden-columns.ts'
import type { ListState } from './use-list.ts'

type ColumnsDialogProps<Row> = { columns: readonly Column<Row>[]; hiddenColumns: HiddenColumns }

const ColumnsDialog = <Row,>({ columns, hiddenColumns }: ColumnsDialogProps<Row>) => {
  const [open, setOpen] = useState(false)
  const { ids: hidden, chosen, setVisible } = hiddenColumns
  const shown = columnsOnScreen({ columns, hidden, chosen }, useIsPhone())
  return (
    <>
      <Button variant="quiet" icon={Columns} className={phoneIcon.phoneIcon} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Columns" size="small">
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.id}
            label={column.header}
            checked={shown.includes(column)}
            onValue={(isVisible) => setVisible(column.id, isVisible)}
          />
        ))}
      </Dialog>
    </>
  )
}

type SortChoiceProps<Row> = { list: Pick<ListState<string>, 'sort' | 'chooseSort'>; columns: readonly Column<Row>[] }

/** The order of a list on a phone, whose table has no headers to tap. */
const SortChoice = <Row,>({ list, columns }: SortChoiceProps<Row>) => {
  const orders = columns.flatMap(({ header, sort }) =>
    sort
      ? [
          { value: sort, label: `${header}, ascending` },
          { value: `-${sort}`, label: `${header}, descending` },
        ]
      : [],
  )
  return (
    <Field label="Sort by">
      <Select
        options={[{ value: '', label: 'Default order' }, ...orders]}
        value={list.sort ?? ''}
        onValue={(sort) => list.chooseSort(sort || undefined)}
      />
    </Field>
  )
}

type FilterDialogProps = { filterCount: number; children: ReactNode }

/** The filters and the order of a list on a phone. Each change applies at once. */
const FilterDialog = ({ filterCount, children }: FilterDialogProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant={filterCount > 0 ? 'secondary' : 'quiet'} icon={FilterIcon} onClick={() => setOpen(true)}>
        {filterCount > 0 ? `Filter (${filterCount})` : 'Filter'}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Filter" size="small">
        <div className={styles.filterDialog}>
          <InFilterDialog value>{children}</InFilterDialog>
          <Button onClick={() => setOpen(false)}>Show results</Button>
        </div>
      </Dialog>
    </>
  )
}

type SearchFieldProps = { label: string; placeholder: string; list: Pick<ListState<string>, 'filter' | 'setFilter'> }

const SearchField = ({ label, placeholder, list }: SearchFieldProps) => (
  <Field label={label} hideLabel className={styles.search}>
    <span className={styles.searchIcon}>
      <Icon of={Search} />
    </span>
    <TextInput type="search" placeholder={placeholder} value={list.filter} onValue={list.setFilter} data-list-filter />
  </Field>
)

export type ListToolsProps<Row extends object> = ColumnsDialogProps<Row> & {
  /** Plural label of the rows. */
  label: string
  list: Pick<ListState<string>, 'filter' | 'filters' | 'setFilter' | 'sort' | 'chooseSort'>
  searchPlaceholder: string | undefined
  filters: ReactNode
  filterCount: number | undefined
  viewTools: ReactNode
  actions: ReactNode
  hasColumnChoice: boolean
}

/** What is above a list: its search, filters, columns and actions. On a phone the filters are behind a button. */
export const ListTools = <Row extends object>(props: ListToolsProps<Row>) => {
  const { label, list, searchPlaceholder, filters, viewTools, actions, hasColumnChoice, columns, hiddenColumns } = props
  const { filterCount = Object.keys(list.filters).length } = props
  const isPhone = useIsPhone()
  const canSort = hasColumnChoice && columns.some(({ sort }) => sort !== undefined)
  // A phone has no row for one icon.
  const hasColumns = hasColumnChoice && !(isPhone && searchPlaceholder === undefined && !filters && !canSort)
  return (
    <div className={styles.tools}>
      {searchPlaceholder !== undefined && (
        <SearchField label={`Find in ${label.toLowerCase()}`} placeholder={searchPlaceholder} list={list} />
      )}
      <div className={styles.filters}>
        {isPhone && (filters || canSort) ? (
          <FilterDialog filterCount={filterCount}>
            {filters}
            {canSort && <SortChoice {...{ list, columns }} />}
          </FilterDialog>
        ) : (
          filters
        )}
        {hasColumns && (
          <div className={styles.columns}>
            {viewTools}
            <ColumnsDialog columns={columns} hiddenColumns={hiddenColumns} />
          </div>
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

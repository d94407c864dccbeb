import { useState } from 'react'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { LogFilters, logFilterNames } from '#client/staff/kit/list/log-filters.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import type { SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { orderErrorKindNames } from '#domain/orders/order-error-kinds.ts'
import { Button } from '#ui/button/button.tsx'
import { ActionResultNotice } from './action-result-notice.tsx'
import { ErrorEntries } from './error-entries.tsx'
import { ErrorGroups } from './error-groups.tsx'
import { type ErrorList, errorQuery } from './error-list.tsx'
import { IgnoreDialog } from './ignore-dialog.tsx'
import { useOrderErrorActions } from './use-order-error-actions.ts'

const kindOptions = [{ value: '', label: 'All kinds' }, ...optionsOf(orderErrorKindNames)]
const stateOptions = optionsOf({ '': 'Open', ignored: 'Ignored' })

const ErrorFilters = ({ list }: { list: ErrorList }) => (
  <>
    <ListFilter list={list} name="kind" label="Kind" options={kindOptions} />
    <ListFilter list={list} name="state" label="State" options={stateOptions} />
    <LogFilters list={list} />
  </>
)

/** Everything that failed and is not resolved: by cause, and the single errors of a cause or an order. */
export const OrderErrorsScreen = () => {
  const list = useList([...logFilterNames, 'kind', 'state', 'groupId'])
  const query = errorQuery(list)
  const actions = useOrderErrorActions()
  const [ignoring, setIgnoring] = useState<{ which: SelectedOrderErrors; onIgnored: () => void } | null>(null)
  const ignore = (which: SelectedOrderErrors, onIgnored = () => {}) => setIgnoring({ which, onIgnored })
  const content = { list, query, actions, filters: <ErrorFilters list={list} />, onIgnore: ignore }
  return (
    <StaffScreen
      title="Order errors"
      lead={<p>What failed and is not resolved yet. An error leaves the list as soon as its cause is resolved.</p>}
      actions={
        query.groupId !== undefined && (
          <Button variant="secondary" onClick={() => list.chooseFilter('groupId', undefined)}>
            All causes
          </Button>
        )
      }
    >
      {actions.result && <ActionResultNotice result={actions.result} onDismiss={actions.dismissResult} />}
      {query.groupId === undefined && query.filter === undefined ? (
        <ErrorGroups {...content} />
      ) : (
        <ErrorEntries key={query.groupId} {...content} />
      )}
      {ignoring && <IgnoreDialog {...ignoring} actions={actions} onClose={() => setIgnoring(null)} />}
    </StaffScreen>
  )
}

import { type logFilterNames, logQuery } from '#client/staff/kit/list/log-filters.tsx'
import type { ListState } from '#client/staff/kit/list/use-list.ts'
import type { SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { orderErrorKinds, orderErrorStates } from '#domain/orders/order-error-kinds.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'

export type ErrorList = ListState<(typeof logFilterNames)[number] | 'kind' | 'state' | 'groupId'>

/** The query of the calls that list errors, from the URL. */
export const errorQuery = (list: ErrorList) => {
  const { kind, state, ...query } = logQuery(list.query)
  return {
    ...query,
    kind: orderErrorKinds.find((name) => name === kind),
    state: orderErrorStates.find((name) => name === state),
  }
}

export type ErrorQuery = ReturnType<typeof errorQuery>

/** Selects all errors that match a query. */
export const matchingErrors = ({ currentPage: _page, pageSize: _size, sort: _sort, ...matching }: ErrorQuery) =>
  ({ matching }) satisfies SelectedOrderErrors

/** Shown while nothing has failed. */
export const noErrorsYet = (
  <EmptyState title="Nothing to do">
    <p>Payments, refunds, packets, emails and images that fail appear here until they are resolved.</p>
  </EmptyState>
)

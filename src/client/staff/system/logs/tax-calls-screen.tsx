import { useState } from 'react'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { formatLogTime, LogFilters, logFilterNames, logQuery } from '#client/staff/kit/list/log-filters.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listTaxCalls, type TaxCallRow, taxCallStates } from '#contract/system/call-logs.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { formatValue, LogFacts } from './log-facts.tsx'

const stateOptions = optionsOf({ '': 'All answers', answered: 'Answered', failed: 'Failed' })

const CallDialog = ({ row, onClose }: { row: TaxCallRow; onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Tax request" size="large">
    <LogFacts
      facts={{
        When: formatLogTime(row.createdAt),
        Studio: row.studioName,
        Order: row.orderNumber,
        Status: row.status,
        Error: row.error,
        Request: formatValue(row.request),
        Answer: formatValue(row.answer),
      }}
    />
  </Dialog>
)

/** The requests to the tax service and its answers. */
export const TaxCallsScreen = () => {
  const list = useList([...logFilterNames, 'state'])
  const state = taxCallStates.find((name) => name === list.filters.state)
  const query = useStaffQuery(listTaxCalls, { query: { ...logQuery(list.query), state } })
  const [shown, setShown] = useState<TaxCallRow | null>(null)
  const columns: readonly Column<TaxCallRow>[] = [
    {
      id: 'time',
      header: 'When',
      cell: (row) => (
        <Button variant="quiet" size="sm" onClick={() => setShown(row)}>
          {formatLogTime(row.createdAt)}
        </Button>
      ),
    },
    {
      id: 'state',
      header: 'Answer',
      cell: ({ error }) => (
        <StateBadge tone={error === null ? 'success' : 'attention'}>
          {error === null ? 'Answered' : 'Failed'}
        </StateBadge>
      ),
    },
    { id: 'status', header: 'Status', isNumber: true, cell: ({ status }) => status ?? '–' },
    { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
    { id: 'order', header: 'Order', cell: ({ orderNumber }) => orderNumber ?? '–' },
    { id: 'duration', header: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs ?? '–'} ms` },
  ]
  return (
    <StaffScreen
      title="Tax requests"
      lead={
        <p>
          What the tax service was asked and answered, stored as long as the configuration says. After a failure the
          order is taxed by the rates table. Personal data are masked. Up to 10,000 matches are shown, the latest first.
        </p>
      }
    >
      <ListScreen
        label="Tax requests"
        searchPlaceholder="Order number"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ createdAt }) => formatLogTime(createdAt)}
        filters={
          <>
            <LogFilters list={list} />
            <ListFilter list={list} name="state" label="State" options={stateOptions} />
          </>
        }
        empty={
          <EmptyState title="No tax requests yet">
            <p>They appear here if a tax service is set up. The rates table is not logged.</p>
          </EmptyState>
        }
      />
      {shown && <CallDialog row={shown} onClose={() => setShown(null)} />}
    </StaffScreen>
  )
}

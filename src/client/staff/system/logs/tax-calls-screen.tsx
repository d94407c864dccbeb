import { useState } from 'react'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import {
  formatExactLogTime,
  formatLogTime,
  LogFilters,
  logFilterNames,
  logQuery,
} from '#client/staff/kit/list/log-filters.tsx'
import { RowButton } from '#client/staff/kit/list/panel-link.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listTaxCalls, repeatTaxCall, type TaxCallRow, taxCallStates } from '#contract/system/call-logs.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { formatValue, LogFacts, LogOrderLink } from './log-facts.tsx'

const stateOptions = optionsOf({ '': 'All answers', answered: 'Answered', failed: 'Failed' })

type CallDialogProps = { row: TaxCallRow; onRepeated: (row: TaxCallRow) => void; onClose: () => void }

/** A request with its answer. One that failed can be repeated with its order or cart as it is now. */
const CallDialog = ({ row, onRepeated, onClose }: CallDialogProps) => {
  const { busy, mutate } = useStaffMutation(repeatTaxCall)
  const repeat = async () => {
    const answer = await mutate({ params: { id: row.id }, body: {} })
    if (!answer.ok) return
    toast(answer.data.error === null ? 'The tax service answered' : 'The tax service failed again')
    onRepeated(answer.data)
  }
  return (
    <Dialog open onClose={onClose} title="Tax request" size="large">
      <LogFacts
        facts={{
          When: formatExactLogTime(row.createdAt),
          Studio: row.studioName,
          Order: row.orderNumber && <LogOrderLink entry={row} />,
          Repeats: row.repeatsId && `Request ${row.repeatsId}`,
          Status: row.status,
          Error: row.error,
          Request: formatValue(row.request),
          Answer: formatValue(row.answer),
        }}
      />
      {row.canRepeat && (
        <div>
          <p>The order or cart is asked about as it is now. No order changes.</p>
          <Button variant="secondary" loading={busy} onClick={() => void repeat()}>
            Repeat the request
          </Button>
        </div>
      )}
    </Dialog>
  )
}

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
      isOneLine: true,
      cell: (row) => <RowButton onOpen={() => setShown(row)}>{formatLogTime(row.createdAt)}</RowButton>,
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
    { id: 'order', header: 'Order', cell: (row) => <LogOrderLink entry={row} /> },
    { id: 'duration', header: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs ?? '–'} ms` },
  ]
  return (
    <StaffScreen
      title="Tax requests"
      lead={
        <p>
          After a failure, the order is taxed by the rates table. Personal data is masked. Shows the latest 10,000
          matches.
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
      {shown && <CallDialog key={shown.id} row={shown} onRepeated={setShown} onClose={() => setShown(null)} />}
    </StaffScreen>
  )
}

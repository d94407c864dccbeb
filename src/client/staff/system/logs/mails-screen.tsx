import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { formatLogTime, LogFilters, logFilterNames, logQuery } from '#client/staff/kit/list/log-filters.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { MailStateBadge, mailStateNames } from '#client/staff/kit/screen/mail-state-badge.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listMails, type MailRow, mailStates, resendMail } from '#contract/system/call-logs.ts'
import { readableName } from '#domain/studio/audit-actions.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { LogOrderLink } from './log-facts.tsx'

const kindName = ({ kind }: MailRow): string => readableName(kind)

const columns: readonly Column<MailRow>[] = [
  { id: 'kind', header: 'Email', cell: kindName },
  { id: 'time', header: 'When', isOneLine: true, cell: ({ createdAt }) => formatLogTime(createdAt) },
  { id: 'to', header: 'To', cell: ({ to }) => to },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, error }) => (
      <>
        <MailStateBadge state={state} />
        {error !== null && <p>{error}</p>}
      </>
    ),
  },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
  { id: 'order', header: 'Order', cell: (mail) => <LogOrderLink entry={mail} /> },
]

/** The emails of the platform and its studios. */
export const MailsScreen = () => {
  const list = useList([...logFilterNames, 'state'])
  const state = mailStates.find((name) => name === list.filters.state)
  const query = useStaffQuery(listMails, { query: { ...logQuery(list.query), state } })
  const resend = useStaffMutation(resendMail)
  const send = async (mail: MailRow) => {
    const sent = await resend.mutate({ params: { id: mail.id }, body: {} })
    if (sent.ok) toast(`“${kindName(mail)}” was sent again`, 'success')
  }
  const actionColumn: Column<MailRow> = {
    id: 'actions',
    header: 'Actions',
    cell: (mail) =>
      mail.canResend && (
        <Button variant="quiet" size="sm" onClick={() => void send(mail)}>
          Send again
        </Button>
      ),
  }
  return (
    <StaffScreen
      title="Emails"
      lead={
        <p>Recipients are masked. Emails with a secret link cannot be sent again. Shows the latest 10,000 matches.</p>
      }
    >
      <ListScreen
        label="Emails"
        searchPlaceholder="Full email or order number"
        list={list}
        query={query}
        columns={[...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={kindName}
        filters={
          <>
            <LogFilters list={list} />
            <ListFilter
              list={list}
              name="state"
              label="State"
              options={[{ value: '', label: 'All states' }, ...optionsOf(mailStateNames)]}
            />
          </>
        }
        empty={
          <EmptyState title="No emails yet">
            <p>Receipts, invitations and other emails appear here.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}

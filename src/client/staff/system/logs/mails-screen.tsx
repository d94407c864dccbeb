import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { formatLogTime, LogFilters, logFilterNames, logQuery } from '#client/staff/kit/list/log-filters.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listMails, type MailRow, mailStates, resendMail } from '#contract/system/call-logs.ts'
import { readableName } from '#domain/studio/audit-actions.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'

const stateNames: Readonly<Record<MailRow['state'], string>> = {
  waiting: 'Waiting',
  kept: 'Only recorded',
  sent: 'Sent',
  failed: 'Failed',
}

const stateTones: Readonly<Record<MailRow['state'], BadgeTone>> = {
  waiting: 'attention',
  kept: 'quiet',
  sent: 'success',
  failed: 'attention',
}

const kindName = ({ kind }: MailRow): string => readableName(kind)

const columns: readonly Column<MailRow>[] = [
  { id: 'kind', header: 'Email', cell: kindName },
  { id: 'time', header: 'When', cell: ({ createdAt }) => formatLogTime(createdAt) },
  { id: 'to', header: 'To', cell: ({ to }) => to },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <StateBadge tone={stateTones[state]}>{stateNames[state]}</StateBadge>,
  },
  { id: 'error', header: 'Error', cell: ({ error }) => error ?? '–' },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
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
        <p>
          Emails and their texts are stored as long as the configuration says. Recipients are masked. Emails with a
          secret link cannot be sent again from here. Up to 10,000 matches are shown, the latest first.
        </p>
      }
    >
      <ListScreen
        label="Emails"
        searchPlaceholder="Recipient’s whole address"
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
              options={[{ value: '', label: 'All states' }, ...optionsOf(stateNames)]}
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

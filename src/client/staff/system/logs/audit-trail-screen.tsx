import { useState } from 'react'
import { DownloadButton } from '#client/staff/kit/download/download-button.tsx'
import { downloadFile } from '#client/staff/kit/download/download-file.ts'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
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
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { type AuditEntryRow, exportAuditEntries, listAuditEntries } from '#contract/system/audit-entries.ts'
import { allAuditActions, auditActionName, readableName } from '#domain/studio/audit-actions.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { formatValue, LogFacts } from './log-facts.tsx'

const actionOptions = [
  { value: '', label: 'All actions' },
  ...allAuditActions.map((value) => ({ value, label: auditActionName(value) })),
]

const userOf = ({ userName }: AuditEntryRow): string => userName ?? 'Server or customer'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** “Tax class” for `taxClass`. */
const labelOf = (name: string): string =>
  readableName(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

/** A value before and after a change; only the one that there is, if the record was created or removed. */
const formatChange = (before: unknown, after: unknown): string => {
  if (before === undefined || after === undefined) return formatValue(before ?? after)
  return `${formatValue(before)} → ${formatValue(after)}`
}

/** The values of a change, by their labels: those that differ as “before → after”. */
const valuesOf = ({ detail }: AuditEntryRow): Record<string, string> => {
  const { before, after, ...others } = detail
  const [earlier, later] = [before, after].map((values) => (isRecord(values) ? values : {}))
  const names = [...new Set([...Object.keys(earlier ?? {}), ...Object.keys(later ?? {})])]
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [labelOf(name), formatValue(value)])),
    ...Object.fromEntries(names.map((name) => [labelOf(name), formatChange(earlier?.[name], later?.[name])])),
  }
}

const EntryDialog = ({ entry, onClose }: { entry: AuditEntryRow; onClose: () => void }) => (
  <Dialog open onClose={onClose} title={auditActionName(entry.action)}>
    <LogFacts
      facts={{
        When: formatExactLogTime(entry.createdAt),
        Who: userOf(entry),
        ...(entry.consentedBy && { 'By consent of': entry.consentedBy }),
        'IP address': entry.address,
        Studio: entry.studioName,
        Record: entry.entityId,
        ...valuesOf(entry),
      }}
    />
  </Dialog>
)

/** `onUser` shows only the entries of a user. */
const entryColumns = (
  onShow: (entry: AuditEntryRow) => void,
  onUser: (id: string) => void,
): readonly Column<AuditEntryRow>[] => [
  {
    id: 'action',
    header: 'Action',
    cell: (entry) => <RowButton onOpen={() => onShow(entry)}>{auditActionName(entry.action)}</RowButton>,
  },
  { id: 'time', header: 'When', isOneLine: true, cell: ({ createdAt }) => formatLogTime(createdAt) },
  {
    id: 'user',
    header: 'Who',
    cell: (entry) =>
      entry.userId === null ? (
        userOf(entry)
      ) : (
        <RowButton onOpen={() => onUser(String(entry.userId))}>{userOf(entry)}</RowButton>
      ),
  },
  { id: 'studio', header: 'Studio', cell: ({ studioName }) => studioName ?? '–' },
  { id: 'record', header: 'Record', cell: ({ entityId }) => entityId ?? '–' },
  { id: 'address', header: 'IP address', isOneLine: true, cell: ({ address }) => address ?? '–' },
]

/** What was changed on the platform and in its studios, by which user, and when. */
export const AuditTrailScreen = () => {
  const list = useList([...logFilterNames, 'userId', 'action'])
  const { userId, ...query } = logQuery(list.query)
  const filtered = { ...query, userId: userId === undefined ? undefined : Number(userId) }
  const entries = useStaffQuery(listAuditEntries, { query: filtered })
  const [shown, setShown] = useState<AuditEntryRow | null>(null)
  const columns = entryColumns(setShown, (id) => list.chooseFilter('userId', id))
  const { currentPage: _page, pageSize: _size, ...exported } = filtered
  return (
    <StaffScreen
      title="Audit trail"
      lead={<p>Each change of money, access and settings, stored for seven years. Shows the latest 10,000 matches.</p>}
      actions={
        <DownloadButton onDownload={() => downloadFile(exportAuditEntries, { params: {}, body: exported })}>
          Export CSV
        </DownloadButton>
      }
    >
      <ListScreen
        label="Audit entries"
        searchPlaceholder="Id of a record"
        list={list}
        query={entries}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ action }) => auditActionName(action)}
        filters={
          <>
            <LogFilters list={list} />
            <ListFilter list={list} name="action" label="Action" options={actionOptions} />
            {userId !== undefined && (
              <ListFilter
                list={list}
                name="userId"
                label="User"
                options={[
                  { value: '', label: 'All users' },
                  { value: userId, label: entries.data?.resultItems[0]?.userName ?? 'One user' },
                ]}
              />
            )}
          </>
        }
        empty={
          <EmptyState title="No entries yet">
            <p>Changes appear here as soon as they are made.</p>
          </EmptyState>
        }
      />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </StaffScreen>
  )
}

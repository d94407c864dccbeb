import CircleCheck from 'lucide-react/icons/circle-check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatDay, formatMoment } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listPaymentDifferences, type PaymentDifference } from '#contract/studio/payments/payouts.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { CloseDifferenceDialog } from './close-difference-dialog.tsx'
import { OrderLink } from './order-link.tsx'
import { differenceCents, reasonLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

type DifferenceStateProps = Pick<ColumnOptions, 'timeZone'> & { difference: PaymentDifference }

/** Whether a difference is open, or how it ended. */
const DifferenceState = ({ difference: { resolvedAt, closedBy, note }, timeZone }: DifferenceStateProps) => {
  if (resolvedAt === null) return <StateBadge tone="attention">Open</StateBadge>
  const moment = formatMoment(resolvedAt, timeZone)
  if (closedBy === null) return <StateBadge tone="success">{`Resolved ${moment}`}</StateBadge>
  return (
    <>
      <StateBadge tone="quiet">{`Closed ${moment}`}</StateBadge>
      <p className={styles.soft}>{`${closedBy}: ${note}`}</p>
    </>
  )
}

type ColumnOptions = { studioId: number; timeZone: string; onClose: (difference: PaymentDifference) => void }

const columnsOf = ({ studioId, timeZone, onClose }: ColumnOptions): readonly Column<PaymentDifference>[] => [
  {
    id: 'order',
    header: 'Order or payment',
    sort: 'order',
    cell: (difference) => <OrderLink studioId={studioId} order={difference} otherwise={difference.reference} />,
  },
  {
    id: 'difference',
    header: 'Difference',
    isNumber: true,
    isKey: true,
    cell: (difference) => <Price cents={differenceCents(difference)} />,
  },
  { id: 'reason', header: 'Reason', sort: 'reason', isClear: true, cell: ({ reason }) => reasonLabels[reason] },
  {
    id: 'state',
    header: 'State',
    isClear: true,
    cell: (difference) => <DifferenceState {...{ difference, timeZone }} />,
  },
  { id: 'ours', header: 'Recorded here', isNumber: true, cell: ({ ourCents }) => <Price cents={ourCents} /> },
  {
    id: 'provider',
    header: 'At the provider',
    isNumber: true,
    cell: ({ providerCents }) => <Price cents={providerCents} />,
  },
  {
    id: 'foundAt',
    header: 'Found',
    sort: 'foundAt',
    isOneLine: true,
    cell: ({ foundAt }) => formatDay(foundAt, timeZone),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (difference) =>
      difference.resolvedAt === null && (
        <Menu
          label={`Actions for ${difference.orderNumber ?? difference.reference}`}
          icon={Ellipsis}
          align="end"
          items={[{ label: 'Close with a note', onSelect: () => onClose(difference) }]}
        />
      ),
  },
]

/** The payments about which our ledger and the payment provider differ. */
export const PaymentDifferencesScreen = ({ studioId }: { studioId: number }) => {
  const { timeZone } = useStudio()
  const list = useList()
  const [closing, setClosing] = useState<PaymentDifference | null>(null)
  const query = useStaffQuery(listPaymentDifferences, { params: { studioId }, query: list.query })
  return (
    <StaffScreen
      title="Differences"
      trail={[{ label: 'Payouts', href: staffUrls.studio(studioId, 'reports/payouts') }]}
      lead="Payments that are not the same here and at the payment provider. A difference is resolved once both agree. If you can explain it, close it with a note."
    >
      <ListScreen
        label="Differences"
        searchPlaceholder="Order or provider’s number"
        list={list}
        query={query}
        columns={columnsOf({ studioId, timeZone, onClose: setClosing })}
        idOf={({ id }) => String(id)}
        nameOf={({ orderNumber, reference }) => orderNumber ?? reference}
        empty={
          <EmptyState icon={CircleCheck} title="No differences">
            <p>Every payment here is the same at the payment provider.</p>
          </EmptyState>
        }
      />
      <CloseDifferenceDialog studioId={studioId} difference={closing} onClose={() => setClosing(null)} />
    </StaffScreen>
  )
}

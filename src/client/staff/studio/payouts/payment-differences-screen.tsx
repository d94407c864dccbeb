import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listPaymentDifferences, type PaymentDifference } from '#contract/studio/payments/payouts.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { OrderLink } from './order-link.tsx'
import { reasonLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

const columnsOf = (studioId: number, timeZone: string): readonly Column<PaymentDifference>[] => [
  {
    id: 'order',
    header: 'Order',
    sort: 'order',
    cell: (difference) => <OrderLink studioId={studioId} order={difference} otherwise={difference.reference} />,
  },
  { id: 'reason', header: 'Reason', sort: 'reason', cell: ({ reason }) => reasonLabels[reason] },
  { id: 'ours', header: 'Here', isNumber: true, cell: ({ ourCents }) => <Price cents={ourCents} /> },
  {
    id: 'provider',
    header: 'At the provider',
    isNumber: true,
    cell: ({ providerCents }) => <Price cents={providerCents} />,
  },
  {
    id: 'difference',
    header: 'Difference',
    isNumber: true,
    cell: ({ ourCents, providerCents }) => <Price cents={providerCents - ourCents} />,
  },
  { id: 'foundAt', header: 'Found', sort: 'foundAt', cell: ({ foundAt }) => formatMoment(foundAt, timeZone) },
  {
    id: 'state',
    header: 'State',
    cell: ({ resolvedAt }) =>
      resolvedAt === null ? (
        <span className={styles.attention}>Open</span>
      ) : (
        <span className={styles.soft}>Resolved {formatMoment(resolvedAt, timeZone)}</span>
      ),
  },
]

/** The payments about which our ledger and the payment provider differ. */
export const PaymentDifferencesScreen = ({ studioId }: { studioId: number }) => {
  const { timeZone } = useStudio()
  const list = useList()
  const query = useStaffQuery(listPaymentDifferences, { params: { studioId }, query: list.query })
  return (
    <StaffScreen
      title="Differences"
      trail={[{ label: 'Payouts', href: staffUrls.studio(studioId, 'reports/payouts') }]}
      lead="Payments that are not the same here and at the payment provider. A difference is resolved once both agree."
    >
      <ListScreen
        label="Differences"
        searchPlaceholder="Order or number at the provider"
        list={list}
        query={query}
        columns={columnsOf(studioId, timeZone)}
        idOf={({ id }) => String(id)}
        nameOf={({ orderNumber, reference }) => orderNumber ?? reference}
        empty={
          <EmptyState title="No differences">
            <p>Every payment here is the same at the payment provider.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}

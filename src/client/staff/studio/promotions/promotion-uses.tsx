import TicketPercent from 'lucide-react/icons/ticket-percent'
import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { LazyReportChart } from '#client/staff/kit/report/lazy-report-chart.tsx'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { getPromotionChart, listPromotionUses, type PromotionUse } from '#contract/studio/promotions/promotions.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'

type PromotionUsesProps = { studioId: number; promotionId: number; timeZone: string }

const columnsFor = ({ studioId, timeZone }: PromotionUsesProps): readonly Column<PromotionUse>[] => [
  {
    id: 'order',
    header: 'Order',
    sort: 'order',
    isOneLine: true,
    cell: ({ orderNumber, jobId }) => <Link href={orderUrl({ studioId, jobId }, orderNumber)}>{orderNumber}</Link>,
  },
  { id: 'job', header: 'Job', sort: 'job', isName: true, cell: ({ jobName }) => jobName },
  { id: 'code', header: 'Code', isOneLine: true, cell: ({ code }) => code },
  { id: 'date', header: 'Used', sort: 'date', isOneLine: true, cell: ({ usedAt }) => formatMoment(usedAt, timeZone) },
  {
    id: 'discount',
    header: 'Discount',
    sort: 'discount',
    isNumber: true,
    cell: ({ discountCents }) => <Price cents={discountCents} />,
  },
]

/** The orders that got the discount of a promotion. */
export const PromotionUses = (props: PromotionUsesProps) => {
  const { studioId, promotionId } = props
  const list = useList()
  const query = useStaffQuery(listPromotionUses, { params: { studioId, id: promotionId }, query: list.query })
  const { data: chart } = useStaffQuery(getPromotionChart, { params: { studioId, id: promotionId } })
  return (
    <>
      <LazyReportChart chart={chart} />
      <ListScreen
        label="Uses"
        searchPlaceholder="Order, code or job"
        list={list}
        query={query}
        columns={columnsFor(props)}
        idOf={({ orderNumber }) => orderNumber}
        nameOf={({ orderNumber }) => orderNumber}
        empty={
          <EmptyState icon={TicketPercent} title="No uses yet">
            <p>Orders with this discount are listed here.</p>
          </EmptyState>
        }
      />
    </>
  )
}

import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, ordersUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { getOrderCounts } from '#contract/studio/order-lists.ts'
import type { OrderView } from '#domain/orders/order-states.ts'
import { TabLinks } from '#ui/navigation/tabs.tsx'

/** Links to the four views of a job's orders, with the number of orders in each. */
export const OrderViewLinks = ({ job, current }: { job: JobParams; current: OrderView }) => {
  const { studioId, jobId } = job
  const { data } = useStaffQuery(getOrderCounts, { params: { studioId, jobId } })
  const labels = {
    prepay: data?.method === 'gallery' ? 'Gallery' : 'Prepay',
    batch: 'Batch',
    individual: 'Individual',
    submitted: 'Submitted',
  } as const satisfies Record<OrderView, string>
  const link = (view: OrderView) => ({
    label: labels[view],
    href: ordersUrl(job, view),
    current: view === current,
    ...(data && { count: data[view] }),
  })
  return <TabLinks label="Orders" links={[link('prepay'), link('batch'), link('individual'), link('submitted')]} />
}

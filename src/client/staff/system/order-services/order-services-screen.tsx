import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import {
  deletePlatformOrderService,
  listPlatformOrderServices,
  type PlatformOrderService,
  putPlatformOrderService,
} from '#contract/system/order-services.ts'
import { type OrderServiceDraft, orderServiceKinds, retouchLevels } from '#domain/platform/order-service-draft.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { OrderServiceDialog } from './order-service-dialog.tsx'

const columns: readonly Column<PlatformOrderService>[] = [
  { id: 'name', header: 'Order service', sort: 'name', cell: ({ name }) => name },
  {
    id: 'kind',
    header: 'Kind',
    cell: ({ kind, level }) =>
      level ? `${orderServiceKinds[kind]}, ${retouchLevels[level].toLowerCase()}` : orderServiceKinds[kind],
  },
  {
    id: 'price',
    header: 'Usual price',
    sort: 'price',
    isNumber: true,
    cell: ({ priceCents }) => formatMoney(priceCents),
  },
  { id: 'jobs', header: 'Jobs', sort: 'jobs', isNumber: true, cell: ({ jobCount }) => formatCount(jobCount) },
  { id: 'position', header: 'Position', sort: 'position', isNumber: true, cell: ({ position }) => position },
]

const draftOf = ({
  kind,
  name,
  description,
  level,
  priceCents,
  position,
}: PlatformOrderService): OrderServiceDraft => ({
  ...{ kind, name, description, level, priceCents, position },
})

/** The services that jobs of all studios can offer with their orders. */
export const OrderServicesScreen = () => (
  <ResourceScreen
    title="Order services"
    lead="What jobs may offer with their prints. A job sets its own price; names and descriptions change everywhere at once."
    noun="order service"
    calls={{ list: listPlatformOrderServices, put: putPlatformOrderService, remove: deletePlatformOrderService }}
    columns={columns}
    nameOf={({ name }) => name}
    draftOf={draftOf}
    searchPlaceholder="Name"
    types={orderServiceKinds}
    removalMessage="Jobs stop offering it at once. If a job or an order has it, it is archived instead."
    emptyText="Studios choose which of them a job offers, and at which price."
    dialog={(service, onClose) => <OrderServiceDialog service={service} onClose={onClose} />}
  />
)

import { useState } from 'react'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { RowButton } from '#client/staff/kit/list/panel-link.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { deliveryStates, listWebhookDeliveries, type WebhookDelivery } from '#contract/studio/developers/webhooks.ts'
import { toPage } from '#domain/shared/paging.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { WideSection } from './wide-section.tsx'

type State = WebhookDelivery['state']

const stateNames: Readonly<Record<State, string>> = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Given up' }
const stateTones: Readonly<Record<State, BadgeTone>> = { waiting: 'attention', delivered: 'success', failed: 'quiet' }

const columnsFor = (onOpen: (id: number) => void): readonly Column<WebhookDelivery>[] => [
  {
    id: 'event',
    header: 'Event',
    cell: ({ id, event }) => <RowButton onOpen={() => onOpen(id)}>{event}</RowButton>,
  },
  { id: 'order', header: 'Order', cell: ({ orderNumber }) => orderNumber ?? '–' },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => <StateBadge tone={stateTones[state]}>{stateNames[state]}</StateBadge>,
  },
  { id: 'result', header: 'Last answer', cell: ({ status, error }) => error ?? status ?? '–' },
  { id: 'attempts', header: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  {
    id: 'createdAt',
    header: 'When',
    sort: 'createdAt',
    isOneLine: true,
    cell: ({ createdAt }) => formatMoment(createdAt, undefined),
  },
]

/** While an event waits, the list is loaded again after this time. */
const refreshMs = 3_000

/** The log of a webhook's deliveries. */
export const DeliveriesSection = ({ studioId, webhookId }: { studioId: number; webhookId: number }) => {
  const list = useList(['state'])
  const state = deliveryStates.find((name) => name === list.filters.state)
  const query = useStaffQuery(listWebhookDeliveries, {
    params: { studioId, id: webhookId },
    query: { ...list.query, state },
    refetchIntervalMs: (data) =>
      data && toPage(data).resultItems.some((delivery) => delivery.state === 'waiting') ? refreshMs : undefined,
  })
  const [openId, setOpenId] = useState<number | null>(null)
  const open = query.data && toPage(query.data).resultItems.find(({ id }) => id === openId)
  return (
    <WideSection title="Deliveries of the last 30 days">
      <ListScreen
        label="Deliveries"
        searchPlaceholder="Order or event"
        list={list}
        query={query}
        columns={columnsFor(setOpenId)}
        idOf={({ id }) => String(id)}
        nameOf={({ event, orderNumber }) => `${event} ${orderNumber ?? ''}`.trim()}
        filters={
          <ListFilter
            list={list}
            name="state"
            label="State"
            options={[{ value: '', label: 'All states' }, ...optionsOf(stateNames)]}
          />
        }
        empty={
          <EmptyState title="No deliveries yet">
            <p>Events appear here as soon as they happen. Send a test event to see one.</p>
          </EmptyState>
        }
      />
      {open && (
        <DeliveryDialog
          key={open.id}
          studioId={studioId}
          webhookId={webhookId}
          delivery={open}
          onClose={() => setOpenId(null)}
        />
      )}
    </WideSection>
  )
}

import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { type BadgeTone, StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { listWebhooks, type Webhook } from '#contract/studio/developers/webhooks.ts'
import { webhookEventLabels } from '#domain/developers/webhooks.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WideSection } from './wide-section.tsx'

/** The address of a webhook's screen. */
const webhookUrl = (studioId: number, id: number): string =>
  staffUrls.studio(studioId, `settings/developers/webhooks/${id}`)

/** The state of a webhook as a badge. */
export const WebhookBadge = ({ webhook: { isEnabled, failingSince } }: { webhook: Webhook }) => {
  const [tone, label]: [BadgeTone, string] = !isEnabled
    ? ['quiet', 'Disabled']
    : failingSince
      ? ['attention', 'Failing']
      : ['success', 'Enabled']
  return <StateBadge tone={tone}>{label}</StateBadge>
}

const columnsFor = (studioId: number): readonly Column<Webhook>[] => [
  {
    id: 'url',
    header: 'Address',
    cell: ({ id, url }) => <Link href={webhookUrl(studioId, id)}>{url}</Link>,
  },
  {
    id: 'events',
    header: 'Events',
    cell: ({ events }) => events.map((event) => webhookEventLabels[event].name).join(', '),
  },
  { id: 'state', header: 'State', cell: (webhook) => <WebhookBadge webhook={webhook} /> },
]

/** The webhooks of a studio. Each has its own screen. */
export const WebhooksPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listWebhooks, { params: { studioId } })
  const [, navigate] = useLocation()
  const [isCreating, setCreating] = useState(false)
  return (
    <WideSection
      title="Webhooks"
      lead="Fieldproof sends an event to your server when something happens, for example when an order is paid."
      action={
        <Button variant="secondary" icon={Plus} onClick={() => setCreating(true)}>
          New webhook
        </Button>
      }
    >
      <QueryBoundary query={query}>
        {(data) => {
          const webhooks = toPage(data).resultItems
          if (webhooks.length === 0) return <p>No webhooks yet.</p>
          return (
            <DataTable
              label="Webhooks"
              columns={columnsFor(studioId)}
              rows={webhooks}
              idOf={({ id }) => String(id)}
              nameOf={({ url }) => url}
            />
          )
        }}
      </QueryBoundary>
      {isCreating && (
        <WebhookDialog
          studioId={studioId}
          webhook={null}
          onSaved={({ id }) => navigate(webhookUrl(studioId, id))}
          onClose={() => setCreating(false)}
        />
      )}
    </WideSection>
  )
}

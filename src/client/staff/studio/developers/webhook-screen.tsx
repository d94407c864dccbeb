import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { deleteWebhook, getWebhook, testWebhook, type Webhook } from '#contract/studio/developers/webhooks.ts'
import { failingDays, webhookEventLabels } from '#domain/developers/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { toast } from '#ui/toast/toast.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretPanel } from './secret-panel.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookBadge } from './webhooks-panel.tsx'

type WebhookParams = { studioId: number; id: number }

const WebhookNotice = ({ webhook: { failingSince, disabledAt } }: { webhook: Webhook }) => {
  if (disabledAt)
    return (
      <Notice tone="attention">
        Disabled on {formatMoment(disabledAt, undefined)}, because every attempt failed for {failingDays} days. Edit it
        to enable it again.
      </Notice>
    )
  return failingSince ? (
    <Notice tone="attention">Every attempt has failed since {formatMoment(failingSince, undefined)}.</Notice>
  ) : null
}

const FactsPanel = ({ webhook }: { webhook: Webhook }) => (
  <Panel title="Events" lead={webhook.url}>
    <div>
      <WebhookBadge webhook={webhook} />
    </div>
    <WebhookNotice webhook={webhook} />
    <p>{webhook.events.map((event) => webhookEventLabels[event].name).join(', ')}</p>
  </Panel>
)

const useWebhookActions = (params: WebhookParams) => {
  const removal = useStaffMutation(deleteWebhook)
  const test = useStaffMutation(testWebhook)
  const [, navigate] = useLocation()
  const remove = async () => {
    const isSure = await confirm({
      title: 'Remove this webhook?',
      message: 'It gets no more events, and the log of its deliveries is deleted.',
      confirmText: 'Remove',
      danger: true,
    })
    if (!isSure) return
    const answer = await removal.mutate({ params })
    if (!answer.ok) return
    toast('The webhook was removed')
    navigate(staffUrls.studio(params.studioId, 'settings/developers'))
  }
  const sendTest = async () => {
    const answer = await test.mutate({ params, body: {} })
    if (answer.ok) toast('A test event is on its way', 'success')
  }
  return { remove, sendTest, isTesting: test.busy }
}

/** A webhook: its address and events, its secret, and the log of its deliveries. */
export const WebhookScreen = ({ studioId, webhookId }: { studioId: number; webhookId: number }) => {
  const params = { studioId, id: webhookId }
  const query = useStaffQuery(getWebhook, { params })
  const { remove, sendTest, isTesting } = useWebhookActions(params)
  const [opened, setOpened] = useState<'edit' | 'replay' | null>(null)
  const close = () => setOpened(null)
  const actions = (
    <>
      <Button variant="secondary" loading={isTesting} onClick={() => void sendTest()}>
        Send a test event
      </Button>
      <Button variant="secondary" onClick={() => setOpened('edit')}>
        Edit
      </Button>
      <Menu
        label="More actions"
        icon={Ellipsis}
        align="end"
        items={[
          { label: 'Send events again', onSelect: () => setOpened('replay') },
          'separator',
          { label: 'Remove', danger: true, onSelect: () => void remove() },
        ]}
      />
    </>
  )
  return (
    <StaffScreen
      title="Webhook"
      trail={[
        { label: 'Settings', href: staffUrls.studio(studioId, 'settings') },
        { label: 'Developers', href: staffUrls.studio(studioId, 'settings/developers') },
      ]}
      {...(query.data && { actions })}
    >
      <QueryBoundary query={query}>
        {(webhook) => (
          <>
            <div>
              <FactsPanel webhook={webhook} />
              <SecretPanel params={params} />
              <DeliveriesSection studioId={studioId} webhookId={webhookId} />
            </div>
            {opened === 'edit' && (
              <WebhookDialog studioId={studioId} webhook={webhook} onSaved={close} onClose={close} />
            )}
            {opened === 'replay' && <ReplayDialog params={params} onClose={close} />}
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

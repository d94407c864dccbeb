import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { CopyableValue } from '#client/staff/kit/screen/copyable-value.tsx'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { getWebhookSecret, rotateWebhookSecret } from '#contract/studio/developers/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'

type WebhookParams = { studioId: number; id: number }

const ShownSecret = ({ params }: { params: WebhookParams }) => {
  const query = useStaffQuery(getWebhookSecret, { params })
  const { mutate, busy } = useStaffMutation(rotateWebhookSecret)
  const rotate = async () => {
    const isSure = await confirm({
      title: 'Make a new secret?',
      message: 'For 24 hours each request is signed with both secrets. Change your program within that time.',
      confirmText: 'Make a new secret',
    })
    if (!isSure) return
    const answer = await mutate({ params, body: {} })
    if (answer.ok) toast('There is a new secret', 'success')
  }
  return (
    <QueryBoundary query={query}>
      {({ secret, previousUntil }) => (
        <>
          <CopyableValue label="Secret" text={secret} />
          {previousUntil && (
            <Notice>The previous secret is valid until {formatMoment(previousUntil, undefined)}.</Notice>
          )}
          <div>
            <Button variant="secondary" loading={busy} disabled={previousUntil !== null} onClick={() => void rotate()}>
              New secret
            </Button>
          </div>
        </>
      )}
    </QueryBoundary>
  )
}

/** The secret of a webhook, on request. */
export const SecretPanel = ({ params }: { params: WebhookParams }) => {
  const [isShown, setShown] = useState(false)
  return (
    <Panel title="Secret" lead="Your program verifies with it that a request comes from Fieldproof.">
      {isShown ? (
        <ShownSecret params={params} />
      ) : (
        <div>
          <Button variant="secondary" onClick={() => setShown(true)}>
            Show the secret
          </Button>
        </div>
      )}
    </Panel>
  )
}

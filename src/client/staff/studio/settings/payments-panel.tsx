import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { useIsOwner } from '#client/staff/kit/session/current-session.ts'
import {
  connectPaymentAccount,
  getPaymentConnection,
  type PaymentConnection,
  removePaymentAccount,
} from '#contract/studio/studio.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { consumeOauthState, createOauthState } from './payment-oauth-state.ts'

const declinedMessage = 'Nothing was connected. You can try again whenever you like'

/** Handles the redirect from the provider's page once, and removes its parameters from the URL. */
const useOauthReturn = (studioId: number, providerLabel: string) => {
  const [, navigate] = useLocation()
  const { mutate, busy } = useStaffMutation(connectPaymentAccount)
  const [message, setMessage] = useState<string | null>(null)
  const isHandled = useRef(false)
  const handleReturn = async () => {
    const params = new URLSearchParams(location.search)
    const [code, state] = [params.get('code'), params.get('state')]
    if (state === null || isHandled.current) return
    isHandled.current = true
    const isValidState = consumeOauthState(studioId, state)
    navigate(staffUrls.studio(studioId, 'settings'), { replace: true })
    if (!isValidState) return setMessage(`${providerLabel}’s answer was for another window. Please connect again`)
    if (!code) return setMessage(declinedMessage)
    const answer = await mutate({ params: { studioId }, query: { code } }, { onError: 'silent' })
    if (answer.ok) toast(`Your ${providerLabel} account is connected`, 'success')
    else setMessage(answer.errors.join(' '))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the redirect
  useEffect(() => void handleReturn(), [])
  return { message, busy }
}

type PaymentAccountProps = { studioId: number; connection: PaymentConnection }

const ConnectedAccount = ({ studioId, connection }: PaymentAccountProps) => {
  const isOwner = useIsOwner()
  const { mutate, busy } = useStaffMutation(removePaymentAccount)
  const remove = async () => {
    const title = `Disconnect ${connection.providerLabel}?`
    const message = 'No one can pay by card until you connect an account again. You can still refund past payments.'
    if (!(await confirm({ title, message, confirmText: 'Disconnect', danger: true }))) return
    await mutate({ params: { studioId } })
  }
  return (
    <>
      <p>
        Customers’ payments go to your {connection.providerLabel} account{' '}
        <strong className="tabular">{connection.account}</strong>.
      </p>
      {isOwner ? (
        <div>
          <Button variant="secondary" loading={busy} onClick={() => void remove()}>
            Disconnect
          </Button>
        </div>
      ) : (
        <p>{supportMessages.ownersOnly}: connect or disconnect an account.</p>
      )}
    </>
  )
}

const PaymentAccount = ({ studioId, connection }: PaymentAccountProps) => {
  const { message, busy } = useOauthReturn(studioId, connection.providerLabel)
  return (
    <>
      {message && <Notice tone="attention">{message}</Notice>}
      <ConnectionStatus studioId={studioId} connection={connection} busy={busy} />
    </>
  )
}

const ConnectionStatus = ({ studioId, connection, busy }: PaymentAccountProps & { busy: boolean }) => {
  const { provider, providerLabel, account, connectAddress } = connection
  const isOwner = useIsOwner()
  if (provider === 'test') return <p>Test payments need no connection: no real money is taken here.</p>
  if (account !== null) return <ConnectedAccount studioId={studioId} connection={connection} />
  if (!isOwner) return <p>No account is connected. {supportMessages.ownersOnly}.</p>
  if (connectAddress === null) return <p>Accounts cannot be connected on this platform yet.</p>
  const openProvider = () =>
    location.assign(`${connectAddress}&state=${encodeURIComponent(createOauthState(studioId))}`)
  return (
    <>
      <p>Until your {providerLabel} account is connected, no one can pay by card.</p>
      <div>
        <Button loading={busy} onClick={openProvider}>
          Connect {providerLabel}
        </Button>
      </div>
    </>
  )
}

/** The studio's payment account. */
export const PaymentsPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(getPaymentConnection, { params: { studioId } })
  return (
    <Panel title="Payments" lead="The account that your customers’ payments go to.">
      <QueryBoundary query={query}>
        {(connection) => <PaymentAccount studioId={studioId} connection={connection} />}
      </QueryBoundary>
    </Panel>
  )
}

import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { connectStripe, getPaymentConnection, type PaymentConnection, removeStripe } from '#contract/studio/studio.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { consumeOauthState, createOauthState } from './payment-oauth-state.ts'

const stateMismatchMessage = 'Stripe’s answer did not belong to this window. Please connect once more'
const declinedMessage = 'Nothing was connected. You can try again whenever you like'

/** Handles the provider's redirect once and removes its parameters from the address. */
const useOauthReturn = (studioId: number) => {
  const [, navigate] = useLocation()
  const { mutate, busy } = useStaffMutation(connectStripe)
  const [oauthMessage, setMessage] = useState<string | null>(null)
  const isHandled = useRef(false)
  const handleReturn = async () => {
    const params = new URLSearchParams(location.search)
    const [code, state] = [params.get('code'), params.get('state')]
    if (state === null || isHandled.current) return
    isHandled.current = true
    const isOurs = consumeOauthState(studioId, state)
    navigate(staffUrls.studio(studioId, 'settings'), { replace: true })
    if (!isOurs || !code) return setMessage(isOurs ? declinedMessage : stateMismatchMessage)
    const answer = await mutate({ params: { studioId }, query: { code } }, { onError: 'silent' })
    if (answer.ok) toast('Your Stripe account is connected', 'success')
    else setMessage(answer.errors.join(' '))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the redirect
  useEffect(() => void handleReturn(), [])
  return { said: oauthMessage, busy }
}

const Connected = ({ studioId, connection }: { studioId: number; connection: PaymentConnection }) => {
  const { mutate, busy } = useStaffMutation(removeStripe)
  const remove = async () => {
    const title = 'Disconnect Stripe?'
    const message = 'Nobody can pay by card until an account is connected again. What was paid can still be given back.'
    if (!(await confirm({ title, message, confirmText: 'Disconnect', danger: true }))) return
    await mutate({ params: { studioId } })
  }
  return (
    <>
      <p>
        Customers’ payments go to your Stripe account <strong className="tabular">{connection.account}</strong>.
      </p>
      <div>
        <Button variant="secondary" loading={busy} onClick={() => void remove()}>
          Disconnect
        </Button>
      </div>
    </>
  )
}

const Connection = ({
  studioId,
  connection,
  busy,
}: {
  studioId: number
  connection: PaymentConnection
  busy: boolean
}) => {
  const { provider, account, connectAddress } = connection
  if (provider === 'test') return <p>Test payments need no connection: no real money is taken here.</p>
  if (account !== null) return <Connected studioId={studioId} connection={connection} />
  if (connectAddress === null) return <p>Accounts cannot be connected on this platform yet.</p>
  const go = () => location.assign(`${connectAddress}&state=${encodeURIComponent(createOauthState(studioId))}`)
  return (
    <>
      <p>Until your Stripe account is connected, nobody can pay by card.</p>
      <div>
        <Button loading={busy} onClick={go}>
          Connect Stripe
        </Button>
      </div>
    </>
  )
}

/** The studio's payment account. Visible to owners only. */
export const PaymentsPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(getPaymentConnection, { params: { studioId } })
  const { said: oauthMessage, busy } = useOauthReturn(studioId)
  return (
    <Panel title="Payments" lead="The account that your customers’ payments go to.">
      {oauthMessage && <Notice tone="attention">{oauthMessage}</Notice>}
      <QueryBoundary query={query}>
        {(connection) => <Connection studioId={studioId} connection={connection} busy={busy} />}
      </QueryBoundary>
    </Panel>
  )
}

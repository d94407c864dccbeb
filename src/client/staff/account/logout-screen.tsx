import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback, useEffect, useState } from 'react'
import { isSignOutStored, storedShootCount, unsentShootCount } from '#local/outbox/staff-outbox.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { canSendFor, staffDatabase } from '../kit/query/staff-sender.ts'
import { staffHomeUrl } from '../kit/routing/staff-home-url.ts'
import { session } from '../kit/session/current-session.ts'
import { signOut } from './sign-out.ts'

const countPendingCheckIns = async (): Promise<number> => {
  const claims = session.claims()
  return claims ? await unsentShootCount(staffDatabase, (studioId) => canSendFor(claims, studioId)) : 0
}

const PendingCheckInsWarning = ({ count, onSignOut }: { count: number; onSignOut: () => void }) => {
  const claims = session.claims()
  return (
    <PlainPage title={count === 1 ? '1 check-in is not sent yet' : `${count} check-ins are not sent yet`}>
      <p>
        {count === 1 ? 'It stays' : 'They stay'} on this tablet if you sign out, and {count === 1 ? 'is' : 'are'} sent
        the next time someone from your studio signs in here.
      </p>
      <div>
        <ButtonLink href={claims ? staffHomeUrl(claims) : urls.login()}>Stay signed in</ButtonLink>{' '}
        <Button variant="secondary" onClick={onSignOut}>
          Sign out
        </Button>
      </div>
    </PlainPage>
  )
}

const remainingCheckInsMessage = (count: number): string =>
  count === 1
    ? '1 check-in stays on this tablet until someone from its studio signs in here.'
    : `${count} check-ins stay on this tablet until someone from their studio signs in here.`

type RemainingData = { readonly checkIns: number; readonly isSignInStored: boolean }

const readRemainingData = async (): Promise<RemainingData> => ({
  checkIns: await storedShootCount(staffDatabase),
  isSignInStored: await isSignOutStored(staffDatabase),
})

const noRemainingData: RemainingData = { checkIns: 0, isSignInStored: false }

/** Shows which data remains on this device after the logout. The request that ends the session may still be pending. */
const SignedOut = () => {
  const remainingData = useLiveQuery(() => readRemainingData().catch(() => noRemainingData))
  return (
    <PlainPage title="You are signed out">
      {remainingData?.isSignInStored && (
        <p>Your sign-in is still stored on this device. It ends once the device is online.</p>
      )}
      {remainingData && remainingData.checkIns > 0 && <p>{remainingCheckInsMessage(remainingData.checkIns)}</p>}
      {remainingData?.checkIns === 0 && !remainingData.isSignInStored && (
        <p>Your account is no longer on this device.</p>
      )}
      <div>
        <ButtonLink href={urls.login()}>Log in again</ButtonLink>{' '}
        <ButtonLink href={urls.home()} variant="secondary">
          Home
        </ButtonLink>
      </div>
    </PlainPage>
  )
}

/** Signs out on mount. If there are unsent check-ins, asks for confirmation first. */
export const LogoutScreen = () => {
  // The number of unsent check-ins while the user has to confirm, then 'signed out'.
  const [outcome, setOutcome] = useState<number | 'signed out'>()
  const signOutHere = useCallback(async () => {
    await signOut()
    setOutcome('signed out')
  }, [])
  useEffect(() => {
    const signOutUnlessPending = async () => {
      const count = await countPendingCheckIns().catch(() => 0)
      if (count > 0) setOutcome(count)
      else await signOutHere()
    }
    void signOutUnlessPending()
  }, [signOutHere])
  if (outcome === undefined) return <Loader />
  if (outcome !== 'signed out') return <PendingCheckInsWarning count={outcome} onSignOut={() => void signOutHere()} />
  return <SignedOut />
}

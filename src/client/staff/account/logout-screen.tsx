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
        the next time somebody of your studio signs in here.
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

const checkInsLeft = (count: number): string =>
  count === 1
    ? '1 check-in stays on this tablet until somebody of its studio signs in here.'
    : `${count} check-ins stay on this tablet until somebody of their studio signs in here.`

type Left = { readonly checkIns: number; readonly isSignInStored: boolean }

const readLeft = async (): Promise<Left> => ({
  checkIns: await storedShootCount(staffDatabase),
  isSignInStored: await isSignOutStored(staffDatabase),
})

const noneLeft: Left = { checkIns: 0, isSignInStored: false }

/** Shows what the logout leaves on this device. The request that ends the session may still be pending. */
const SignedOut = () => {
  const left = useLiveQuery(() => readLeft().catch(() => noneLeft))
  return (
    <PlainPage title="You are signed out">
      {left?.isSignInStored && (
        <p>Your sign-in is still stored on this device. It ends by itself once the device is online.</p>
      )}
      {left && left.checkIns > 0 && <p>{checkInsLeft(left.checkIns)}</p>}
      {left?.checkIns === 0 && !left.isSignInStored && <p>Nothing of your account is left on this device.</p>}
      <div>
        <ButtonLink href={urls.login()}>Log in again</ButtonLink>{' '}
        <ButtonLink href={urls.home()} variant="secondary">
          Go to the start
        </ButtonLink>
      </div>
    </PlainPage>
  )
}

/** Signs out on mount. If check-ins wait to be sent, it asks first. */
export const LogoutScreen = () => {
  const [unsent, setUnsent] = useState<number | 'signed out'>()
  const leave = useCallback(async () => {
    await signOut()
    setUnsent('signed out')
  }, [])
  useEffect(() => {
    const decide = async () => {
      const count = await countPendingCheckIns().catch(() => 0)
      if (count > 0) setUnsent(count)
      else await leave()
    }
    void decide()
  }, [leave])
  if (unsent === undefined) return <Loader />
  if (unsent !== 'signed out') return <PendingCheckInsWarning count={unsent} onSignOut={() => void leave()} />
  return <SignedOut />
}

import { useCallback, useEffect, useState } from 'react'
import { storedShootCount, unsentShootCount } from '../../local/staff-outbox.ts'
import { session } from '../session/signed-in.ts'
import { Plain } from '../shell/plain.tsx'
import { ownStart } from '../shell/staff/own-start.ts'
import { urls } from '../shell/urls.ts'
import { maySendFor, staffDatabase } from '../staff/staff-sending.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Loader } from '../ui/loader.tsx'
import { signOut } from './sign-out.ts'

const readUnsent = async (): Promise<number> => {
  const claims = session.claims()
  return claims ? await unsentShootCount(staffDatabase, (studioId) => maySendFor(claims, studioId)) : 0
}

const UnsentWarning = ({ count, onSignOut }: { count: number; onSignOut: () => void }) => {
  const claims = session.claims()
  return (
    <Plain title={count === 1 ? '1 check-in is not sent yet' : `${count} check-ins are not sent yet`}>
      <p>
        {count === 1 ? 'It stays' : 'They stay'} on this tablet if you sign out, and {count === 1 ? 'is' : 'are'} sent
        the next time somebody of your studio signs in here.
      </p>
      <div>
        <ButtonLink href={claims ? ownStart(claims) : urls.login()}>Stay signed in</ButtonLink>{' '}
        <Button variant="secondary" onClick={onSignOut}>
          Sign out
        </Button>
      </div>
    </Plain>
  )
}

const leftWords = (count: number): string => {
  if (count === 0) return 'Nothing of your account is left on this device.'
  return count === 1
    ? '1 check-in stays on this tablet until somebody of its studio signs in here.'
    : `${count} check-ins stay on this tablet until somebody of their studio signs in here.`
}

/** Signs out by being shown; where check-ins wait to be sent, it asks first. */
export const LogoutScreen = () => {
  const [unsent, setUnsent] = useState<number | 'signed out'>()
  const [left, setLeft] = useState(0)
  const leave = useCallback(async () => {
    await signOut()
    setLeft(await storedShootCount(staffDatabase).catch(() => 0))
    setUnsent('signed out')
  }, [])
  useEffect(() => {
    const decide = async () => {
      const count = await readUnsent().catch(() => 0)
      if (count > 0) setUnsent(count)
      else await leave()
    }
    void decide()
  }, [leave])
  if (unsent === undefined) return <Loader />
  if (unsent !== 'signed out') return <UnsentWarning count={unsent} onSignOut={() => void leave()} />
  return (
    <Plain title="You are signed out">
      <p>{leftWords(left)}</p>
      <div>
        <ButtonLink href={urls.login()}>Log in again</ButtonLink>{' '}
        <ButtonLink href={urls.home()} variant="secondary">
          Go to the start
        </ButtonLink>
      </div>
    </Plain>
  )
}

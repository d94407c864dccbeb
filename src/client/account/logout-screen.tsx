import { useEffect } from 'react'
import { signOut } from '../session/signed-in.ts'
import { Plain } from '../shell/plain.tsx'
import { urls } from '../shell/urls.ts'
import { ButtonLink } from '../ui/button.tsx'

/** Signs out by being shown. */
export const LogoutScreen = () => {
  useEffect(() => {
    void signOut()
  }, [])
  return (
    <Plain title="You are signed out">
      <p>Nothing of your account is left on this device.</p>
      <div>
        <ButtonLink href={urls.login()}>Log in again</ButtonLink>{' '}
        <ButtonLink href={urls.home()} variant="secondary">
          Go to the start
        </ButtonLink>
      </div>
    </Plain>
  )
}
